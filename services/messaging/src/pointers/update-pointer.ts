import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import { advancePointer } from './pointer.queries.ts'

/** Moves the caller's pointer to a newer message. Throws BAD_REQUEST if the caller may not see it. */
export const handleUpdatePointer: Handler<typeof endpoints.messaging.updatePointer, Context> = async ({
  input,
  caller,
  context,
}) => {
  const [view] = await listMessageViews(context.db, caller, [input.pointer], {})
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message ID')
  await advancePointer(context.db, caller.userId, view.id)
  return {}
}
