import { AppError, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { hastenBlobDeletion } from './blob-to-delete.queries.ts'
import { getUpload } from './get-upload.ts'
import { cancelUpload } from './resumable-upload.queries.ts'
import { answerTus, refuseVersion, TusStatus } from './tus-protocol.ts'

/** Cancels an upload and deletes what has arrived. Throws NOT_FOUND. */
export const handleCancelResumableUpload: Handler<
  typeof endpoints.messaging.cancelResumableUpload,
  Context
> = async ({ input, caller, context, headers }) => {
  const refusal = refuseVersion(headers)
  if (refusal) return refusal
  const upload = await getUpload(context.db, caller, input.upload_id)
  if (upload.answer) throw new AppError('NOT_FOUND', { message: 'The upload has ended' })
  if (!(await cancelUpload(context.db, upload))) return answerTus(TusStatus.conflict)
  for (const name of upload.parts) await hastenBlobDeletion(context.db, name, context.now())
  context.blobDeletion.wake()
  return answerTus(TusStatus.noContent)
}
