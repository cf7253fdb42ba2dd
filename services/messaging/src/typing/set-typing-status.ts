import {
  badRequest,
  domainEvents,
  type EndpointInput,
  type endpoints,
  maxTypingAudience,
} from '@tms/contracts'
import { type Caller, type Handler, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { excludeGuestsNotSeeingAll, findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { findChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { normalizeTopic } from '../kernel/text/content.rules.ts'
import { checkMayPost } from '../messages/check-may-post.ts'
import { listSomeSubscribers } from './typing.queries.ts'
import { listTypingRecipients } from './typing.rules.ts'

type Endpoint = typeof endpoints.messaging.setTypingStatus
type Input = EndpointInput<Endpoint>

/** The recipients of a typing notification, and its conversation or topic; null if there are too many. */
interface Typing {
  readonly audience: readonly KnownUser[]
  readonly target: { recipients: { user_id: number; email: string }[] } | { stream_id: number; topic: string }
}

/**
 * Publishes that the caller types. Nothing is stored, and the handler doesn't wait for the log: a notification
 * that can't be delivered now is worthless later.
 */
export const handleSetTypingStatus: Handler<Endpoint, Context> = async (request) => {
  const { input, caller, context, requestId, log } = request
  const sender = await context.projections.getUser(caller.userId)
  const isDirect = (input.type ?? 'direct') === 'direct'
  const typing = isDirect
    ? await findDirectTyping(input, caller, sender, context)
    : await findChannelTyping(input, caller, sender, context)
  const user_ids = listTypingRecipients(typing?.audience ?? [])
  if (typing === null || user_ids.length === 0) return {}

  const payload = {
    user_ids,
    op: input.op,
    sender: { user_id: sender.user_id, email: sender.email },
    target: typing.target,
  }
  const cause = { realmId: caller.realmId, requestId }
  publishUnsequenced(context.publisher, domainEvents.messaging.typingChanged, payload, cause).catch(
    (err: unknown) => log.debug({ err, requestId }, 'typing notification lost'),
  )
  return {}
}

async function findDirectTyping(
  input: Input,
  caller: Caller,
  sender: KnownUser,
  context: Context,
): Promise<Typing | null> {
  if (!sender.settings.send_private_typing_notifications) {
    throw badRequest('User has disabled typing notifications for direct messages')
  }
  const userIds = input.to ?? []
  if (userIds.length === 0) throw badRequest("Missing parameter: 'to' (recipient)")
  const found = await findVisibleByIds(context, caller, userIds)
  const missing = userIds.find((userId) => !found.has(userId))
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`)

  const everyone = [...found.set(sender.user_id, sender).values()].toSorted((a, b) => a.user_id - b.user_id)
  if (everyone.length > maxTypingAudience) return null
  const recipients = everyone.map(({ user_id, email }) => ({ user_id, email }))
  const realm = await context.projections.getRealm(caller.realmId)
  return {
    audience: await excludeGuestsNotSeeingAll(context.db, realm, everyone, everyone),
    target: { recipients },
  }
}

async function findChannelTyping(
  input: Input,
  caller: Caller,
  sender: KnownUser,
  context: Context,
): Promise<Typing | null> {
  const { db, projections } = context
  if (!sender.settings.send_stream_typing_notifications) {
    throw badRequest('User has disabled typing notifications for channel messages')
  }
  if (input.stream_id === undefined) throw badRequest("Missing 'stream_id' argument")
  const topic = normalizeTopic(input.topic)
  const reference = { id: input.stream_id }
  const [target, realm] = await Promise.all([
    findChannelTarget(db, caller, reference),
    projections.getRealm(caller.realmId),
  ])
  if (!target) throw badRequest('Invalid channel ID')
  await checkMayPost(context, { user: sender, realm, target }, reference)

  const subscriberIds = await listSomeSubscribers(db, target.channel.id, maxTypingAudience + 1)
  if (subscriberIds.length > maxTypingAudience) return null
  const subscribers = await projections.findUsersByIds(caller.realmId, subscriberIds)
  const audience = await excludeGuestsNotSeeingAll(db, realm, [...subscribers.values()], [sender])
  return { audience, target: { stream_id: target.channel.id, topic } }
}
