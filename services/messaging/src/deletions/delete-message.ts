import { badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler, Queryable } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { findStandpoint } from '../edits/editable.queries.ts'
import { followingMoves, MessageMovedError } from '../messages/follow-moves.ts'
import { listMessageViews, type MessageView } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { lockForRemoval } from '../messages/place-locks.queries.ts'
import { checkMayDelete } from './deletion.rules.ts'
import { remove } from './remove.ts'

/** Deletes one message. */
export const handleDeleteMessage: Handler<typeof endpoints.messaging.deleteMessage, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const [{ senderId, timestamp }, realm, user] = await Promise.all([
    findVisible(context.db, caller, input.message_id),
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  const isOwn = senderId === caller.userId || (await ownsBot(context, caller, senderId))
  const standing = standingOf(user, realm, context.now())
  checkMayDelete(realm, { standing, isOwn, sentAtMs: timestamp * 1000, nowMs: context.now().getTime() })

  await followingMoves(context.db, async (tx) => {
    const view = await findVisible(tx, caller, input.message_id)
    await lockForRemoval(tx, [view.recipientId])
    const now = await findStandpoint(tx, view.id)
    if (!now) throw badRequest('Invalid message(s)')
    if (now.recipientId !== view.recipientId) throw new MessageMovedError()
    const doomed = {
      messageIds: [view.id],
      recipientId: view.recipientId,
      channel: view.channel && { id: view.channel.id, topic: now.topic },
      userIds: view.channel ? [caller.userId] : (view.userIds ?? []),
    }
    await remove(tx, context, doomed, { realmId: caller.realmId, requestId })
  })
  context.relay.wake()
  return {}
}

/** The message as the caller sees it. Throws BAD_REQUEST for one that they can't see, whether it exists or not. */
async function findVisible(db: Queryable, caller: Caller, messageId: number): Promise<MessageView> {
  const [view] = await listMessageViews(db, caller, [messageId], {})
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  return view
}

async function ownsBot(
  { directory }: Pick<Context, 'directory'>,
  { realmId, userId }: { realmId: number; userId: number },
  senderId: number,
): Promise<boolean> {
  const sender = (await directory.findUsersByIds(realmId, [senderId])).get(senderId)
  return sender?.bot_owner_id === userId
}
