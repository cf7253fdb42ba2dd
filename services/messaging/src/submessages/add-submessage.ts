import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { followingMoves } from '../messages/follow-moves.ts'
import { findHolders } from '../messages/holders.queries.ts'
import { lockVisibleMessage } from '../messages/lock-visible-message.ts'
import { takePart } from '../messages/take-part.ts'
import {
  findFirstSubmessage,
  insertSubmessage,
  measureSubmessages,
  nextSubmessageId,
} from './submessage.queries.ts'
import { checkAttached, checkSubmessage } from './submessage.rules.ts'
import { checkWidgetChange } from './widget-change.rules.ts'

/**
 * Attaches a submessage to a message, on which its sender must have begun; to a poll or a to-do list, what its rules
 * allow; as much as a message can have. Throws BAD_REQUEST.
 */
export const handleAddSubmessage: Handler<typeof endpoints.messaging.addSubmessage, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkSubmessage(input)
  const user = await context.directory.getUser(caller.userId)
  const cause = { realmId: caller.realmId, requestId }

  await followingMoves(context.db, async (tx) => {
    const message = await lockVisibleMessage(tx, caller, input.message_id)
    const isAuthor = message.senderId === caller.userId
    const begin = await findFirstSubmessage(tx, message.id)
    if (begin === null && !isAuthor) throw badRequest('You cannot attach a submessage to this message.')
    if (begin !== null) checkWidgetChange(begin, input.content, { isAuthor })
    const { msg_type, content } = input
    const id = await nextSubmessageId(tx)
    const submessage = { id, message_id: message.id, sender_id: caller.userId, msg_type, content }
    await insertSubmessage(tx, submessage)
    checkAttached(await measureSubmessages(tx, message.id))
    await takePart(tx, context, user, message, cause)
    const holders = await findHolders(tx, message, [message.id])
    await context.publish(tx, domainEvents.messaging.submessageAdded, { submessage, holders }, cause)
  })
  context.relay.wake()
  return {}
}
