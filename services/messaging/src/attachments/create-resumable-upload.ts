import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { API_PREFIX, AppError, badRequest, type endpoints, resumableUploads } from '@tms/contracts'
import type { Handler, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { endResumableUpload, insertResumableUpload, type UploadAnswer } from './resumable-upload.queries.ts'
import { checkQuota, storeUpload } from './store-upload.ts'
import { answerTus, readAnnouncement, refuseVersion, TusStatus } from './tus-protocol.ts'

const HOUR_MS = 3_600_000

/**
 * Begins an upload in parts. An empty file has none, so it is stored at once, and the answer is that of an upload in one
 * request. Throws BAD_REQUEST, REQUEST_TOO_LARGE or REALM_UPLOAD_QUOTA.
 */
export const handleCreateResumableUpload: Handler<
  typeof endpoints.messaging.createResumableUpload,
  Context
> = async ({ caller, context, headers, requestId }) => {
  const refusal = refuseVersion(headers)
  if (refusal) return refusal
  const file = readAnnouncement(headers)
  await checkQuota(context, caller, file.length)
  const id = randomBytes(18).toString('base64url')
  const expiresAt = new Date(context.now().getTime() + resumableUploads.lifetimeHours * HOUR_MS)
  const isNew = await insertResumableUpload(
    context.db,
    { id, expiresAt, ...file },
    caller,
    resumableUploads.maxOpen,
  )
  if (!isNew) throw badRequest(`You have begun ${resumableUploads.maxOpen} uploads; end or cancel some first`)
  const begun = {
    location: `${API_PREFIX}${resumableUploads.path}/${id}`,
    'upload-offset': 0,
    'upload-expires': expiresAt.toUTCString(),
  }
  if (file.length > 0) return answerTus(TusStatus.created, begun)
  const claim = async (tx: Tx, answer: UploadAnswer) => {
    if (!(await endResumableUpload(tx, { id, received: 0 }, answer))) throw new AppError('CONFLICT')
  }
  const { name, contentType } = file
  const stored = await storeUpload(context, { caller, requestId, claim }, (consume) =>
    consume({ name, contentType, stream: Readable.from([]) }),
  )
  return answerTus(TusStatus.created, begun, stored)
}
