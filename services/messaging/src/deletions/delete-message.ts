import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { hasRealmPermission } from '../kernel/groups/permissions.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'
import { MessageMovedError, retryAfterMoves } from '../kernel/locks/retry-after-moves.ts'
import { findEditableMessage } from '../kernel/messages/editable-message.queries.ts'
import { getVisibleMessage } from '../kernel/messages/visible-message.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import { deleteMessages } from './delete-messages.ts'
import { checkMayDelete } from './deletion.rules.ts'

/** Deletes one message. */
export const handleDeleteMessage: Handler<typeof endpoints.messaging.deleteMessage, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const [{ senderId, timestamp }, realm, user] = await Promise.all([
    getVisibleMessage(context.db, caller, input.message_id),
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const isOwn = senderId === caller.userId || (await ownsBot(context, caller, senderId))
  const policySubject = policySubjectOf(user, realm, context.now())
  const deleter = { userId: caller.userId, policySubject }
  checkMayDelete(realm, {
    mayDeleteAny: await hasRealmPermission(context.db, realm, 'can_delete_any_message_group', deleter),
    mayDeleteOwn: await hasRealmPermission(context.db, realm, 'can_delete_own_message_group', deleter),
    isOwn,
    sentAtMs: timestamp * 1000,
    nowMs: context.now().getTime(),
  })

  await retryAfterMoves(context.db, async (tx) => {
    const view = await getVisibleMessage(tx, caller, input.message_id)
    await lockForRemoval(tx, [view.recipientId])
    const current = await findEditableMessage(tx, view.id)
    if (!current) throw badRequest('Invalid message(s)')
    if (current.recipientId !== view.recipientId) throw new MessageMovedError()
    const toDelete = {
      messageIds: [view.id],
      recipientId: view.recipientId,
      channel: view.channel && { id: view.channel.id, topic: current.topic },
      userIds: view.channel ? [caller.userId] : (view.userIds ?? []),
    }
    await deleteMessages(tx, context, toDelete, { realmId: caller.realmId, requestId })
  })
  return {}
}

async function ownsBot(
  { projections }: Pick<Context, 'projections'>,
  { realmId, userId }: { realmId: number; userId: number },
  senderId: number,
): Promise<boolean> {
  const sender = (await projections.findUsersByIds(realmId, [senderId])).get(senderId)
  return sender?.bot_owner_id === userId
}
