import {
  badRequest,
  domainEvents,
  type EndpointInput,
  type endpoints,
  maxTypingAudience,
} from '@tms/contracts'
import { type Caller, type Handler, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { findSeenByIds, withoutStrangers } from '../guest-visibility/unknown-users.ts'
import { checkMayPost } from '../messages/check-may-post.ts'
import { normalizeTopic } from '../messages/content.rules.ts'
import { findChannelPlace } from '../messages/posting-place.queries.ts'
import { listSomeSubscribers } from './typing.queries.ts'
import { hearersOf } from './typing.rules.ts'

type Endpoint = typeof endpoints.messaging.setTypingStatus
type Input = EndpointInput<Endpoint>

/** Who is to hear of it, and where it happens; null where it happens among too many. */
interface Typing {
  readonly audience: readonly KnownUser[]
  readonly place: { recipients: { user_id: number; email: string }[] } | { stream_id: number; topic: string }
}

/**
 * Tells others that someone types. Nothing is stored and the log is not waited for: an indicator that can't be
 * delivered now is worth nothing later.
 */
export const handleSetTypingStatus: Handler<Endpoint, Context> = async (request) => {
  const { input, caller, context, requestId, log } = request
  const sender = await context.directory.getUser(caller.userId)
  const isDirect = (input.type ?? 'direct') === 'direct'
  const typing = isDirect
    ? await amongUsers(input, caller, sender, context)
    : await inChannel(input, caller, sender, context)
  const user_ids = hearersOf(typing?.audience ?? [])
  if (typing === null || user_ids.length === 0) return {}

  const payload = {
    user_ids,
    op: input.op,
    sender: { user_id: sender.user_id, email: sender.email },
    place: typing.place,
  }
  const cause = { realmId: caller.realmId, requestId }
  publishUnsequenced(context.publisher, domainEvents.messaging.typingChanged, payload, cause).catch(
    (err: unknown) => log.debug({ err, requestId }, 'a typing indicator was lost'),
  )
  return {}
}

async function amongUsers(
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
  const found = await findSeenByIds(context, caller, userIds)
  const missing = userIds.find((userId) => !found.has(userId))
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`)

  const everyone = [...found.set(sender.user_id, sender).values()].toSorted((a, b) => a.user_id - b.user_id)
  if (everyone.length > maxTypingAudience) return null
  const place = { recipients: everyone.map(({ user_id, email }) => ({ user_id, email })) }
  const realm = await context.directory.getRealm(caller.realmId)
  return { audience: await withoutStrangers(context.db, realm, everyone, everyone), place }
}

async function inChannel(
  input: Input,
  caller: Caller,
  sender: KnownUser,
  context: Context,
): Promise<Typing | null> {
  const { db, directory } = context
  if (!sender.settings.send_stream_typing_notifications) {
    throw badRequest('User has disabled typing notifications for channel messages')
  }
  if (input.stream_id === undefined) throw badRequest("Missing 'stream_id' argument")
  const topic = normalizeTopic(input.topic)
  const reference = { id: input.stream_id }
  const [place, realm] = await Promise.all([
    findChannelPlace(db, caller, reference),
    directory.getRealm(caller.realmId),
  ])
  if (!place) throw badRequest('Invalid channel ID')
  await checkMayPost(context, { user: sender, realm, place }, reference)

  const subscriberIds = await listSomeSubscribers(db, place.channel.id, maxTypingAudience + 1)
  if (subscriberIds.length > maxTypingAudience) return null
  const subscribers = await directory.findUsersByIds(caller.realmId, subscriberIds)
  const audience = await withoutStrangers(db, realm, [...subscribers.values()], [sender])
  return { audience, place: { stream_id: place.channel.id, topic } }
}
