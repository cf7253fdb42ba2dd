import { badRequest, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deleteFiles } from './delete-files.ts'
import { lockOwnFile } from './file.queries.ts'

/**
 * Deletes a file of the caller, even while messages link it. For a file of another user it throws BAD_REQUEST, as for
 * an unknown one.
 */
export const handleDeleteAttachment: Handler<typeof endpoints.messaging.deleteAttachment, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await transact(context.db, async (tx) => {
    if (!(await lockOwnFile(tx, caller.userId, input.attachment_id))) throw badRequest('Invalid attachment')
    await deleteFiles(tx, context, [input.attachment_id], requestId)
  })
  context.blobDeletion.wake()
  return {}
}
