import type { Caller, Queryable } from '@tms/service-kit'
import { canReadFile } from '../kernel/access/file.rules.ts'
import type { MeasuredPicture } from '../kernel/rendering/mention-lookup.ts'
import { pictureTypeOf } from './content-type.rules.ts'
import { listFiles } from './file.queries.ts'

/**
 * The pictures with these path IDs whose dimensions are known and that the reader may see: the dimensions of others
 * would reveal that they exist. An API token that is limited to channels sees no files. Costs no query without path IDs of the reader's organization.
 */
export async function listMeasuredPictures(
  db: Queryable,
  reader: Pick<Caller, 'userId' | 'realmId' | 'role' | 'channelIds'>,
  pathIds: readonly string[],
): Promise<MeasuredPicture[]> {
  const own = pathIds.filter((pathId) => pathId.startsWith(`${reader.realmId}/`))
  if (own.length === 0 || reader.channelIds) return []
  const files = await listFiles(db, own, reader)
  return files
    .filter((file) => file.realmId === reader.realmId && canReadFile(reader, file))
    .flatMap(({ pathId, contentType, width, height }) =>
      width === null || height === null
        ? []
        : [{ pathId, contentType: pictureTypeOf(contentType, pathId), width, height }],
    )
}
