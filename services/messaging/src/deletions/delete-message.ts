import { badRequest, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { findStandpoint } from '../edits/editable.queries.ts'
import { listMessageViews } from '../messages/message-view.queries.ts'
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
  const [[view], realm, user] = await Promise.all([
    listMessageViews(context.db, caller, [input.message_id], {}),
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  const isOwn = view.senderId === caller.userId || (await ownsBot(context, caller, view.senderId))
  const standing = standingOf(user, realm, context.now())
  checkMayDelete(realm, {
    standing,
    isOwn,
    sentAtMs: view.timestamp * 1000,
    nowMs: context.now().getTime(),
  })

  await inTransaction(context.db, async (tx) => {
    await lockForRemoval(tx, [view.recipientId])
    // Moved or deleted since it was looked at: whether the caller may reach it now is for another try to find out.
    const now = await findStandpoint(tx, view.id)
    if (now?.recipientId !== view.recipientId) throw badRequest('Invalid message(s)')
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

async function ownsBot(
  { directory }: Pick<Context, 'directory'>,
  { realmId, userId }: { realmId: number; userId: number },
  senderId: number,
): Promise<boolean> {
  const sender = (await directory.findUsersByIds(realmId, [senderId])).get(senderId)
  return sender?.bot_owner_id === userId
}
