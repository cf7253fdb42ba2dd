import { randomBytes } from 'node:crypto'
import { API_PREFIX, badRequest, type endpoints, resumableUploads } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { insertResumableUpload } from './resumable-upload.queries.ts'
import { checkQuota } from './store-upload.ts'
import { answerTus, readAnnouncement, refuseVersion, TusStatus } from './tus-protocol.ts'

const HOUR_MS = 3_600_000

/** Begins an upload in parts. Throws BAD_REQUEST or REALM_UPLOAD_QUOTA. */
export const handleCreateResumableUpload: Handler<
  typeof endpoints.messaging.createResumableUpload,
  Context
> = async ({ caller, context, headers }) => {
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
  return answerTus(TusStatus.created, {
    location: `${API_PREFIX}${resumableUploads.path}/${id}`,
    'upload-offset': 0,
    'upload-expires': expiresAt.toUTCString(),
  })
}
