import type { Joining, RealmProjection, UserProjection } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { announceFirstMessages } from '../channels/announce-first-messages.ts'
import { type Channel, findChannelById } from '../channels/channel.queries.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import { findSystemBot, listKnownUsers } from '../directory/projection.queries.ts'
import { type Speaker, speakOf, storeChannelNotice, storeDirectNotice } from '../messages/notices.ts'
import { NEW_USERS_TOPIC, tellAccepted, tellJoined, tellWelcome } from './newcomer-notice.rules.ts'

/** How someone joined, and what they are in now. */
interface Joined {
  readonly realm: RealmProjection
  readonly joined: Joining
  readonly channels: readonly Pick<Channel, 'id' | 'name'>[]
  /** A channel whose place is locked; null for none. */
  readonly announcedInId: number | null
}

interface Telling {
  readonly publish: Publish<'messaging'>
  readonly now: Date
  readonly requestId: string | null
}

/**
 * Says that someone joined: where the organization announces new people, to whoever invited them and wants to know, and
 * to themselves, as a welcome.
 */
export async function announceNewUser(
  tx: Tx,
  newcomer: UserProjection,
  { realm, joined, channels, announcedInId }: Joined,
  telling: Telling,
): Promise<void> {
  // The accounts' service makes it before it tells of the newcomer.
  const sender = await findSystemBot(tx, realm.realm_id)
  if (!sender) return
  const speaker: Speaker = { sender, realm, sentAt: telling.now }
  if (announcedInId !== null) await announce(tx, speaker, newcomer, announcedInId, telling)
  if (joined.notify_user_id !== null) await notify(tx, speaker, newcomer, joined.notify_user_id, telling)
  await welcome(tx, speaker, newcomer, channels, telling)
}

async function announce(
  tx: Tx,
  speaker: Speaker,
  newcomer: UserProjection,
  channelId: number,
  { publish, requestId }: Telling,
): Promise<void> {
  const realmId = newcomer.realm_id
  const channel = await findChannelById(tx, realmId, channelId)
  if (!channel) return
  const before = await listChannelRecords(tx, [channelId])
  const notice = speakOf(speaker, tellJoined(newcomer), knownTo(newcomer))
  await storeChannelNotice(tx, notice, { channel, topic: NEW_USERS_TOPIC, requestId })
  await announceFirstMessages(tx, { publish }, before, { realmId, requestId })
}

async function notify(
  tx: Tx,
  speaker: Speaker,
  newcomer: UserProjection,
  userId: number,
  { requestId }: Telling,
): Promise<void> {
  const [user] = await listKnownUsers(tx, [userId])
  if (!user?.is_active) return
  const notice = speakOf(speaker, tellAccepted(newcomer), knownTo(newcomer))
  await storeDirectNotice(tx, notice, { user, requestId })
}

async function welcome(
  tx: Tx,
  speaker: Speaker,
  newcomer: UserProjection,
  channels: Joined['channels'],
  { requestId }: Telling,
): Promise<void> {
  const text = tellWelcome(
    newcomer,
    channels.map(({ name }) => name),
  )
  const linked = channels.map(({ id, name }) => ({ channelId: id, name }))
  const notice = speakOf(speaker, text, { ...knownTo(newcomer), channels: linked })
  await storeDirectNotice(tx, notice, { user: newcomer, requestId })
}

const knownTo = ({ user_id, full_name }: UserProjection) => ({
  users: [{ userId: user_id, fullName: full_name, isActive: true }],
  channels: [],
})
