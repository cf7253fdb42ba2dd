import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError, type endpoints } from '@tms/contracts'
import type { Caller, Handler, Request, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { hastenBlobDeletion, scheduleBlobDeletion } from './blob-to-delete.queries.ts'
import { getUpload } from './get-upload.ts'
import { blobFolderOf } from './path-id.rules.ts'
import {
  addPart,
  endResumableUpload,
  findResumableUpload,
  type ResumableUpload,
  type UploadAnswer,
} from './resumable-upload.queries.ts'
import { storeUpload } from './store-upload.ts'
import { answerTus, readCount, refuseType, refuseVersion, TusStatus } from './tus-protocol.ts'

type Endpoint = typeof endpoints.messaging.continueResumableUpload

interface Part {
  readonly name: string
  readonly size: number
}

/**
 * Stores the next part of an upload, as much of it as arrives. With the last one, the whole becomes a file, as an upload
 * in one request does, or nothing changes. Throws NOT_FOUND, BAD_REQUEST or REALM_UPLOAD_QUOTA.
 */
export const handleContinueResumableUpload: Handler<Endpoint, Context> = async (request) => {
  const { input, caller, context, headers, requestId } = request
  const refusal = refuseVersion(headers) ?? refuseType(headers)
  if (refusal) return refusal
  const offset = readCount(headers, 'upload-offset')
  const upload = await getUpload(context.db, caller, input.upload_id)
  if (offset !== upload.received) return answerTus(TusStatus.conflict)
  // The client missed the answer to its last part.
  if (upload.answer) return answerTus(200, { 'upload-offset': upload.received }, upload.answer)

  const part = await storePart(request, upload)
  const received = upload.received + part.size
  const progress = { 'upload-offset': received, 'upload-expires': upload.expiresAt.toUTCString() }
  try {
    if (received === upload.length) {
      const file = await storeWhole(context, { caller, requestId }, upload, part)
      return file ? answerTus(200, progress, file) : answerTus(TusStatus.conflict)
    }
    if (part.size > 0 && (await addPart(context.db, upload, part)))
      return answerTus(TusStatus.noContent, progress)
  } catch (err) {
    await dropParts(context, [part])
    throw err
  }
  await dropParts(context, [part])
  return part.size === 0 ? answerTus(TusStatus.noContent, progress) : answerTus(TusStatus.conflict)
}

/** Stores what arrives of a part in a blob, which is deleted when the upload expires. */
async function storePart(
  { caller, context, receiveBytes }: Request<Endpoint, Context>,
  { length, received, expiresAt }: ResumableUpload,
): Promise<Part> {
  const name = `${blobFolderOf(caller.realmId)}parts/${randomBytes(18).toString('base64url')}`
  await scheduleBlobDeletion(context.db, [name], expiresAt)
  try {
    const size = await receiveBytes(length - received, (stream) =>
      context.blobs.put(name, stream, { contentType: 'application/octet-stream' }),
    )
    return { name, size }
  } catch (err) {
    await dropParts(context, [{ name }])
    throw err
  }
}

/** Makes a file of all parts; null if another request did, or has added a part. */
async function storeWhole(
  context: Context,
  cause: { readonly caller: Caller; readonly requestId: string },
  upload: ResumableUpload,
  last: Part,
): Promise<UploadAnswer | null> {
  const parts = [...upload.parts, last.name]
  const { name, contentType } = upload
  let isOurs = true
  const claim = async (tx: Tx, answer: UploadAnswer) => {
    isOurs = await endResumableUpload(tx, upload, answer)
    if (!isOurs) throw new AppError('BAD_REQUEST')
  }
  try {
    const file = await storeUpload(context, { ...cause, claim }, (consume) =>
      consume({ name, contentType, stream: Readable.from(contentOf(context, parts)) }),
    )
    await dropParts(
      context,
      parts.map((part) => ({ name: part })),
    )
    return file
  } catch (err) {
    // A request that has ended the upload has also deleted its parts, while this one reads them.
    const present = await findResumableUpload(context.db, cause.caller.userId, upload.id)
    if (isOurs && present && !present.answer) throw err
    await dropParts(context, [last])
    return null
  }
}

async function* contentOf({ blobs }: Context, parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const content = await blobs.get(part)
    if (!content) throw new Error(`part ${part} of an upload is missing`)
    yield* content
  }
}

/** Has parts deleted now. */
async function dropParts(context: Context, parts: readonly Pick<Part, 'name'>[]): Promise<void> {
  for (const { name } of parts) await hastenBlobDeletion(context.db, name, context.now())
  context.blobDeletion.wake()
}
