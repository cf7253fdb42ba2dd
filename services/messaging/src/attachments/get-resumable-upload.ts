import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getUpload } from './get-upload.ts'
import { answerTus, refuseVersion } from './tus-protocol.ts'

/** How much of an upload has arrived. Throws NOT_FOUND. */
export const handleGetResumableUpload: Handler<
  typeof endpoints.messaging.getResumableUpload,
  Context
> = async ({ input, caller, context, headers }) => {
  const refusal = refuseVersion(headers)
  if (refusal) return refusal
  const { length, received, expiresAt } = await getUpload(context.db, caller, input.upload_id)
  return answerTus(200, {
    'upload-offset': received,
    'upload-length': length,
    'upload-expires': expiresAt.toUTCString(),
  })
}
