import type { Tx } from '@tms/service-kit'
import { type Channel, findChannelById } from '../channels/channel.queries.ts'
import {
  NEW_CHANNELS_TOPIC,
  tellAnnounced,
  tellCreated,
  tellSubscribed,
} from '../channels/channel-notice.rules.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import { notifyChannel } from '../channels/notify-channel.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { type Speaker, speakOf, storeChannelNotice, storeDirectNotice } from '../messages/notices.ts'
import type { Known } from '../rendering/directory.ts'
import type { Subscribed } from './subscription.queries.ts'

/** To tell more people than this one by one would hold the channels' locks too long; who adds so many tells them. */
const MAX_TOLD = 100

/** Who subscribed whom. */
interface Call {
  readonly actor: KnownUser
  readonly users: readonly KnownUser[]
  readonly speaker: Speaker
}

interface Made {
  readonly created: readonly Channel[]
  readonly channels: readonly Channel[]
  readonly added: readonly Subscribed[]
  /** Where new channels are announced; locked. */
  readonly announcedIn: Channel | null
}

interface Telling {
  readonly publish: Context['publish']
  readonly requestId: string
}

/**
 * Says what subscribing did, after the events that tell clients: in each new channel, where new channels are
 * announced, and to those whom someone else subscribed to a channel that existed.
 */
export async function notifySubscribers(tx: Tx, call: Call, made: Made, telling: Telling): Promise<void> {
  const { created, announcedIn } = made
  await notifyNewChannels(tx, call, created, telling)
  if (announcedIn && created.length > 0) await announce(tx, call, created, announcedIn, telling)
  await notifyJoined(tx, call, made, telling)
}

async function notifyNewChannels(
  tx: Tx,
  { actor, speaker }: Call,
  created: readonly Channel[],
  { publish, requestId }: Telling,
): Promise<void> {
  const byId = new Map(created.map((channel) => [channel.id, channel]))
  for (const record of await listChannelRecords(tx, [...byId.keys()])) {
    const channel = byId.get(record.stream_id)
    if (!channel) continue
    await notifyChannel(tx, channel, [tellCreated(actor, record)], { actor, speaker, publish, requestId })
  }
}

async function announce(
  tx: Tx,
  { actor, speaker }: Call,
  created: readonly Channel[],
  announcedIn: Channel,
  { requestId }: Telling,
): Promise<void> {
  // It may have been archived while its place was waited for.
  const channel = await findChannelById(tx, announcedIn.realmId, announcedIn.id)
  if (!channel) return
  const notice = speakOf(speaker, tellAnnounced(actor, namesOf(created)), knownTo(actor, created))
  const readerIds = [actor.user_id]
  await storeChannelNotice(tx, notice, { channel, topic: NEW_CHANNELS_TOPIC, requestId, readerIds })
}

async function notifyJoined(
  tx: Tx,
  { actor, users, speaker }: Call,
  { created, channels, added }: Made,
  { requestId }: Telling,
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
  const told = users.filter((user) => !user.is_bot && joinedBy.has(user.user_id))
  if (told.length > MAX_TOLD) return
  // In the order of their IDs, so that two calls that tell the same people never wait for each other.
  for (const user of told.toSorted((a, b) => a.user_id - b.user_id)) {
    const joined = joinedBy.get(user.user_id) ?? []
    const notice = speakOf(speaker, tellSubscribed(actor, namesOf(joined)), knownTo(actor, joined))
    await storeDirectNotice(tx, notice, { user, requestId })
  }
}

/** What the notices refer to. */
function knownTo({ user_id, full_name }: KnownUser, channels: readonly Channel[]): Known {
  return {
    users: [{ userId: user_id, fullName: full_name, isActive: true }],
    channels: channels.map(({ id, name }) => ({ channelId: id, name })),
  }
}

const namesOf = (channels: readonly Channel[]): string[] => channels.map(({ name }) => name)
