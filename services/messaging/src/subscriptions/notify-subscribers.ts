import type { Tx } from '@tms/service-kit'
import {
  NEW_CHANNELS_TOPIC,
  writeAnnouncedNotice,
  writeCreatedNotice,
  writeSubscribedNotice,
} from '../channels/channel-notice.rules.ts'
import { notifyChannel } from '../channels/notify-channel.ts'
import { type Channel, findChannelById } from '../kernel/channels/channel.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { ResolvedReferences } from '../kernel/rendering/mention-lookup.ts'
import {
  type NoticeSender,
  renderNotice,
  storeChannelNotice,
  storeDirectNotice,
} from '../messages/notices.ts'
import type { NewSubscription } from './joining.queries.ts'

/**
 * Notifying more users one by one would hold the locks of the channels too long. The actor informs so many in
 * another way.
 */
const MAX_NOTIFIED = 100

/** The actor and the users of a call. */
interface Call {
  readonly actor: KnownUser
  readonly users: readonly KnownUser[]
  readonly noticeSender: NoticeSender
}

interface SubscribeOutcome {
  readonly created: readonly Channel[]
  readonly channels: readonly Channel[]
  readonly added: readonly NewSubscription[]
  /** The channel for announcements of new channels; locked. */
  readonly announcedIn: Channel | null
}

interface PublishContext {
  readonly publish: Context['publish']
  readonly requestId: string
}

/**
 * Stores notices about new subscriptions, after their events: in each new channel, in the channel for
 * announcements, and to users that another user subscribed to an existing channel.
 */
export async function notifySubscribers(
  tx: Tx,
  call: Call,
  outcome: SubscribeOutcome,
  publishContext: PublishContext,
): Promise<void> {
  const { created, announcedIn } = outcome
  await notifyNewChannels(tx, call, created, publishContext)
  if (announcedIn && created.length > 0) await announce(tx, call, created, announcedIn, publishContext)
  await notifyJoined(tx, call, outcome, publishContext)
}

async function notifyNewChannels(
  tx: Tx,
  { actor, noticeSender }: Call,
  created: readonly Channel[],
  { publish, requestId }: PublishContext,
): Promise<void> {
  const byId = new Map(created.map((channel) => [channel.id, channel]))
  for (const record of await listChannelRecords(tx, [...byId.keys()])) {
    const channel = byId.get(record.stream_id)
    if (!channel) continue
    await notifyChannel(tx, channel, [writeCreatedNotice(actor, record)], {
      actor,
      noticeSender,
      publish,
      requestId,
    })
  }
}

async function announce(
  tx: Tx,
  { actor, noticeSender }: Call,
  created: readonly Channel[],
  announcedIn: Channel,
  { publish, requestId }: PublishContext,
): Promise<void> {
  // It may have been archived while this transaction waited for its lock.
  const channel = await findChannelById(tx, announcedIn.realmId, announcedIn.id)
  if (!channel) return
  const notice = renderNotice(
    noticeSender,
    writeAnnouncedNotice(actor, namesOf(created)),
    knownTo(actor, created),
  )
  const readerIds = [actor.user_id]
  const before = await listChannelRecords(tx, [channel.id])
  await storeChannelNotice(tx, notice, { channel, topic: NEW_CHANNELS_TOPIC, requestId, readerIds })
  await publishFirstMessages(tx, { publish }, before, { realmId: channel.realmId, requestId })
}

async function notifyJoined(
  tx: Tx,
  { actor, users, noticeSender }: Call,
  { created, channels, added }: SubscribeOutcome,
  { requestId }: PublishContext,
): Promise<void> {
  const isCreated = new Set(created.map(({ id }) => id))
  const existing = new Map(channels.filter(({ id }) => !isCreated.has(id)).map((one) => [one.id, one]))
  const joinedBy = new Map<number, Channel[]>()
  for (const { channelId, userId } of added) {
    const channel = existing.get(channelId)
    if (channel && userId !== actor.user_id) {
      joinedBy.set(userId, [...(joinedBy.get(userId) ?? []), channel])
    }
  }
  const notified = users.filter((user) => !user.is_bot && joinedBy.has(user.user_id))
  if (notified.length > MAX_NOTIFIED) return
  // In the order of their IDs, so that two calls that notify the same users can't deadlock.
  for (const user of notified.toSorted((a, b) => a.user_id - b.user_id)) {
    const joined = joinedBy.get(user.user_id) ?? []
    const notice = renderNotice(
      noticeSender,
      writeSubscribedNotice(actor, namesOf(joined)),
      knownTo(actor, joined),
    )
    await storeDirectNotice(tx, notice, { user, requestId })
  }
}

/** The users and channels to which the notices refer. */
function knownTo({ user_id, full_name }: KnownUser, channels: readonly Channel[]): ResolvedReferences {
  return {
    users: [{ userId: user_id, fullName: full_name, isActive: true }],
    channels: channels.map(({ id, name }) => ({ channelId: id, name })),
  }
}

const namesOf = (channels: readonly Channel[]): string[] => channels.map(({ name }) => name)
