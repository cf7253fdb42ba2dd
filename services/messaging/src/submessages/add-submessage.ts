import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { retryAfterMoves } from '../kernel/locks/retry-after-moves.ts'
import { findHolders } from '../kernel/messages/holders.queries.ts'
import { lockVisibleMessage } from '../kernel/messages/lock-visible-message.ts'
import { recordParticipation } from '../topics/record-participation.ts'
import {
  findFirstSubmessage,
  insertSubmessage,
  measureSubmessages,
  reserveSubmessageId,
} from './submessage.queries.ts'
import { checkSubmessage, checkSubmessageUsage } from './submessage.rules.ts'
import { checkWidgetChange } from './widget-change.rules.ts'

/**
 * Attaches a submessage to a message. The first must be from the author of the message; submessages of a poll or a
 * to-do list must follow its rules; and number and size are limited. Throws BAD_REQUEST.
 */
export const handleAddSubmessage: Handler<typeof endpoints.messaging.addSubmessage, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkSubmessage(input)
  const user = await context.projections.getUser(caller.userId)
  const cause = { realmId: caller.realmId, requestId }

  await retryAfterMoves(context.db, async (tx) => {
    const message = await lockVisibleMessage(tx, caller, input.message_id)
    const isAuthor = message.senderId === caller.userId
    const firstContent = await findFirstSubmessage(tx, message.id)
    if (firstContent === null && !isAuthor)
      throw badRequest('You cannot attach a submessage to this message.')
    if (firstContent !== null) checkWidgetChange(firstContent, input.content, { isAuthor })
    const { msg_type, content } = input
    const id = await reserveSubmessageId(tx)
    const submessage = { id, message_id: message.id, sender_id: caller.userId, msg_type, content }
    await insertSubmessage(tx, submessage)
    checkSubmessageUsage(await measureSubmessages(tx, message.id))
    await recordParticipation(tx, context, user, message, cause)
    const holders = await findHolders(tx, message, [message.id])
    await context.publish(tx, domainEvents.messaging.submessageAdded, { submessage, holders }, cause)
  })
  return {}
}
