import type { Joining, RealmFacts, UserFacts } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { announceFirstMessages } from '../channels/announce-first-messages.ts'
import { findChannelById } from '../channels/channel.queries.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import { findSystemBot, listKnownUsers } from '../directory/projection.queries.ts'
import { type Speaker, speakOf, storeChannelNotice, storeDirectNotice } from '../messages/notices.ts'
import { NEWCOMERS_TOPIC, tellAccepted, tellJoined } from './newcomer-notice.rules.ts'

interface Telling {
  readonly publish: Publish<'messaging'>
  readonly now: Date
  readonly requestId: string | null
}

/**
 * Says that someone joined: where the organization announces new people, and to whoever invited them and wants to
 * know. `announcedInId` is a channel whose place is locked; null for none.
 */
export async function tellOfNewcomer(
  tx: Tx,
  newcomer: UserFacts,
  { realm, joined, announcedInId }: { realm: RealmFacts; joined: Joining; announcedInId: number | null },
  telling: Telling,
): Promise<void> {
  // The accounts' service makes it before it tells of the newcomer.
  const sender = await findSystemBot(tx, realm.realm_id)
  if (!sender) return
  const speaker: Speaker = { sender, realm, sentAt: telling.now }
  if (announcedInId !== null) await announce(tx, speaker, newcomer, announcedInId, telling)
  if (joined.notify_user_id !== null) await notify(tx, speaker, newcomer, joined.notify_user_id, telling)
}

async function announce(
  tx: Tx,
  speaker: Speaker,
  newcomer: UserFacts,
  channelId: number,
  { publish, requestId }: Telling,
): Promise<void> {
  const realmId = newcomer.realm_id
  const channel = await findChannelById(tx, realmId, channelId)
  if (!channel) return
  const before = await listChannelRecords(tx, [channelId])
  const notice = speakOf(speaker, tellJoined(newcomer), knownTo(newcomer))
  await storeChannelNotice(tx, notice, { channel, topic: NEWCOMERS_TOPIC, requestId })
  await announceFirstMessages(tx, { publish }, before, { realmId, requestId })
}

async function notify(
  tx: Tx,
  speaker: Speaker,
  newcomer: UserFacts,
  userId: number,
  { requestId }: Telling,
): Promise<void> {
  const [user] = await listKnownUsers(tx, [userId])
  if (!user?.is_active) return
  const notice = speakOf(speaker, tellAccepted(newcomer), knownTo(newcomer))
  await storeDirectNotice(tx, notice, { user, requestId })
}

const knownTo = ({ user_id, full_name }: UserFacts) => ({
  users: [{ userId: user_id, fullName: full_name, isActive: true }],
  channels: [],
})
