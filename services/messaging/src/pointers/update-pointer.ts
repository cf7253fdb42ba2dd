import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findVisibleMessage } from '../kernel/messages/visible-message.ts'
import { advancePointer } from './pointer.queries.ts'

/** Moves the caller's pointer to a newer message. Throws BAD_REQUEST if the caller may not see it. */
export const handleUpdatePointer: Handler<typeof endpoints.messaging.updatePointer, Context> = async ({
  input,
  caller,
  context,
}) => {
  const view = await findVisibleMessage(context.db, caller, input.pointer)
  if (!view) throw badRequest('Invalid message ID')
  await advancePointer(context.db, caller.userId, view.id)
  return {}
}
