import type { Joining, RealmProjection, UserProjection } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import { type Channel, findChannelById } from '../kernel/channels/channel.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import { findSystemBot, listKnownUsers } from '../kernel/projections/known-user.queries.ts'
import {
  type NoticeSender,
  renderNotice,
  storeChannelNotice,
  storeDirectNotice,
} from '../messages/notices.ts'
import {
  NEW_USERS_TOPIC,
  writeInvitationAcceptedNotice,
  writeJoinedNotice,
  writeWelcomeNotice,
} from './new-user-notice.rules.ts'

/** How the user joined, and which channels they are subscribed to. */
interface NewUserDetails {
  readonly realm: RealmProjection
  readonly joined: Joining
  readonly channels: readonly Pick<Channel, 'id' | 'name'>[]
  /** A channel that is locked; null for none. */
  readonly announcedInId: number | null
}

interface NoticeOptions {
  readonly publish: Publish<'messaging'>
  readonly now: Date
  readonly requestId: string | null
}

/**
 * Announces a new user: in the organization's channel for that, to the inviter if they want it, and to the user as a
 * welcome.
 */
export async function announceNewUser(
  tx: Tx,
  newUser: UserProjection,
  { realm, joined, channels, announcedInId }: NewUserDetails,
  options: NoticeOptions,
): Promise<void> {
  // The users service creates the system bot before it publishes a new user.
  const sender = await findSystemBot(tx, realm.realm_id)
  if (!sender) return
  const author: NoticeSender = { sender, realm, sentAt: options.now }
  if (announcedInId !== null) await announce(tx, author, newUser, announcedInId, options)
  if (joined.notify_user_id !== null) await notify(tx, author, newUser, joined.notify_user_id, options)
  await welcome(tx, author, newUser, channels, options)
}

async function announce(
  tx: Tx,
  author: NoticeSender,
  newUser: UserProjection,
  channelId: number,
  { publish, requestId }: NoticeOptions,
): Promise<void> {
  const realmId = newUser.realm_id
  const channel = await findChannelById(tx, realmId, channelId)
  if (!channel) return
  const before = await listChannelRecords(tx, [channelId])
  const notice = renderNotice(author, writeJoinedNotice(newUser), knownTo(newUser))
  await storeChannelNotice(tx, notice, { channel, topic: NEW_USERS_TOPIC, requestId })
  await publishFirstMessages(tx, { publish }, before, { realmId, requestId })
}

async function notify(
  tx: Tx,
  author: NoticeSender,
  newUser: UserProjection,
  userId: number,
  { requestId }: NoticeOptions,
): Promise<void> {
  const [user] = await listKnownUsers(tx, [userId])
  if (!user?.is_active) return
  const notice = renderNotice(author, writeInvitationAcceptedNotice(newUser), knownTo(newUser))
  await storeDirectNotice(tx, notice, { user, requestId })
}

async function welcome(
  tx: Tx,
  author: NoticeSender,
  newUser: UserProjection,
  channels: NewUserDetails['channels'],
  { requestId }: NoticeOptions,
): Promise<void> {
  const text = writeWelcomeNotice(
    newUser,
    channels.map(({ name }) => name),
  )
  const linked = channels.map(({ id, name }) => ({ channelId: id, name }))
  const notice = renderNotice(author, text, { ...knownTo(newUser), channels: linked })
  await storeDirectNotice(tx, notice, { user: newUser, requestId })
}

const knownTo = ({ user_id, full_name }: UserProjection) => ({
  users: [{ userId: user_id, fullName: full_name, isActive: true }],
  channels: [],
})
