import type { Caller, Queryable } from '@tms/service-kit'
import type { MeasuredPicture } from '../rendering/directory.ts'
import { canReadFile, entersPublicChannels } from './access.rules.ts'
import { listFiles } from './file.queries.ts'

/**
 * The pictures with these path IDs whose dimensions are known, but for those that somebody may not see: others would learn
 * from a file's dimensions that it is there. Without path IDs of their organization it costs no query.
 */
export async function listMeasuredPictures(
  db: Queryable,
  reader: Pick<Caller, 'userId' | 'realmId' | 'role'>,
  pathIds: readonly string[],
): Promise<MeasuredPicture[]> {
  const own = pathIds.filter((pathId) => pathId.startsWith(`${reader.realmId}/`))
  if (own.length === 0) return []
  const files = await listFiles(db, own, {
    userId: reader.userId,
    entersPublicChannels: entersPublicChannels(reader),
  })
  return files
    .filter((file) => file.realmId === reader.realmId && canReadFile(reader, file))
    .flatMap(({ pathId, width, height }) =>
      width === null || height === null ? [] : [{ pathId, width, height }],
    )
}
