import { createHash } from 'node:crypto'
import { AppError, badRequest, type internal } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { z } from 'zod'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import type { SendInput, SendRequest } from '../messages/send-request.ts'
import { keepIdempotencyKey } from './keep-key.queries.ts'

type MailReply = z.output<typeof internal.messaging.postMailReply.body>

/** Name of the client program of messages that came by mail. */
const CLIENT = 'email'

/**
 * The message that a reply by mail becomes, in the conversation that the answered message is in now. Throws what
 * forbids it.
 */
export async function requestOf(
  context: Context,
  { realm_id: realmId, user_id: userId, message_id: messageId, key, content }: MailReply,
  requestId: string,
): Promise<SendRequest> {
  const [realm, user] = await Promise.all([
    context.projections.getRealm(realmId),
    context.projections.getUser(userId),
  ])
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  if (!user.is_active) throw new AppError('USER_DEACTIVATED')
  const sender = { userId, realmId, role: user.role }
  const idempotencyKey = keyOf(key)
  return {
    sender,
    input: { ...(await findTarget(context, sender, messageId)), content, read_by_sender: true },
    echo: null,
    client: CLIENT,
    requestId,
    idempotencyKey,
    hook: {
      beforeStore: async () => {},
      // A mail server may deliver again for days.
      afterStore: (tx: Tx) => keepIdempotencyKey(tx, userId, idempotencyKey.key),
    },
  }
}

/** A mail that is delivered again may have been changed on its way: the key alone tells it. */
function keyOf(key: string): { readonly key: Buffer; readonly request: Buffer } {
  const digest = createHash('sha256').update(`mail reply ${key}`).digest()
  return { key: digest, request: digest }
}

async function findTarget(
  { db }: Context,
  viewer: SendRequest['sender'],
  messageId: number,
): Promise<Pick<SendInput, 'type' | 'to' | 'topic'>> {
  const [view] = await listMessageViews(db, viewer, [messageId], {})
  if (view === undefined || !canSeeMessage(viewer, view))
    throw badRequest('The message that was answered does not exist, or you may no longer see it')
  return view.channel
    ? { type: 'channel', to: view.channel.id, topic: view.topic }
    : { type: 'direct', to: [...(view.userIds ?? [])] }
}
