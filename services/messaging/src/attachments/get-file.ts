import { AppError, type endpoints } from '@tms/contracts'
import { type Caller, FileAnswer, type Handler, type Spectator, subdomainOf } from '@tms/service-kit'
import contentDisposition from 'content-disposition'
import { canReadFile } from '../kernel/access/file.rules.ts'
import type { Context } from '../kernel/context.ts'
import { isShown } from './content-type.rules.ts'
import { listFiles, type StoredFile } from './file.queries.ts'
import { blobNameOf, nameInUrl } from './path-id.rules.ts'

/** Returns a file to a user who may read it. */
export const handleGetFile: Handler<typeof endpoints.messaging.getFile, Context> = async ({
  input,
  caller,
  context,
}) => {
  const pathId = `${input.realm_id}/${input.shard}/${input.filename}`
  return answerWith(context, await getReadableFile(context, caller, pathId))
}

/** Returns a URL by which anyone may download the file for a minute, for programs that can't sign in. */
export const handleGetTemporaryUrl: Handler<typeof endpoints.messaging.getTemporaryUrl, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { pathId } = await getReadableFile(context, caller, `${input.realm_id}/${input.filename}`)
  return { url: context.temporaryUrls.urlOf(pathId) }
}

/** Returns a file for a temporary URL. */
export const handleGetTemporaryFile: Handler<typeof endpoints.messaging.getTemporaryFile, Context> = async ({
  input,
  context,
  host,
}) => {
  const pathId = context.temporaryUrls.pathIdOf(input.token)
  const [file] = pathId === null ? [] : await listFiles(context.db, [pathId], { userId: null, role: null })
  if (!file || !(await isAtHost(context, file, host))) throw noSuchFile()
  return answerWith(context, file)
}

/**
 * Throws NOT_FOUND for a file that doesn't exist or that the caller may not read, so that nobody learns which; and
 * UNAUTHORIZED to spectators, who might have access if they signed in.
 */
async function getReadableFile(
  { db }: Pick<Context, 'db'>,
  caller: Caller | Spectator,
  pathId: string,
): Promise<StoredFile> {
  const reader = caller.userId === null ? { userId: null, role: null } : caller
  const [file] = await listFiles(db, [pathId], reader)
  if (file && file.realmId === caller.realmId && canReadFile(reader, file)) return file
  throw reader.userId === null ? new AppError('UNAUTHORIZED') : noSuchFile()
}

/**
 * Whether a host belongs to a file's organization, and that is active: no other check does this for unauthenticated
 * requests. Throws SERVICE_UNAVAILABLE if the organization can't be looked up.
 */
async function isAtHost(
  { projections, externalHost }: Pick<Context, 'projections' | 'externalHost'>,
  { realmId }: StoredFile,
  host: string,
): Promise<boolean> {
  const { string_id, is_active } = await projections.getRealm(realmId)
  return is_active && string_id === subdomainOf(host, externalHost)
}

function answerWith(
  { blobs }: Pick<Context, 'blobs'>,
  { pathId, contentType, size }: StoredFile,
): FileAnswer {
  const blobName = blobNameOf(pathId)
  return new FileAnswer({
    contentType,
    disposition: contentDisposition(nameInUrl(pathId), {
      type: isShown(contentType) ? 'inline' : 'attachment',
    }),
    size,
    // A file never changes.
    tag: blobName,
    open: async (range) => {
      const content = await blobs.get(blobName, range)
      if (!content) throw noSuchFile()
      return content
    },
  })
}

function noSuchFile(): AppError {
  return new AppError('NOT_FOUND', { message: 'File not found' })
}
