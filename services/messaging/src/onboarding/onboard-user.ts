import { type Joining, Role, type UserProjection } from '@tms/contracts'
import type { Publish, Tx } from '@tms/service-kit'
import {
  type Channel,
  findChannelById,
  listChannelsByIds,
  listDefaultChannels,
} from '../kernel/channels/channel.queries.ts'
import { queueVisibilityAfterJoin } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'
import { findKnownRealm } from '../kernel/projections/known-user.queries.ts'
import { findPublishedRole } from '../kernel/projections/published-membership.queries.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { addSubscribers } from '../subscriptions/add-subscribers.ts'
import { publishSubscribers } from '../subscriptions/publish-subscribers.ts'
import { announceNewUser } from './announce-new-user.ts'
import { backFill } from './back-fill.queries.ts'

/**
 * Users without an invitation, such as those who were created at the installation's setup, join the default channels,
 * guests included.
 */
const BY_DEFAULT: Pick<Joining, 'stream_ids' | 'inviter_id' | 'with_default_streams'> = {
  stream_ids: [],
  with_default_streams: true,
}

/**
 * Subscribes a user who has just joined, gives them part of the public channels' history, welcomes them, and notifies
 * those who want to know. Runs in the transaction of the event, so exactly once.
 */
export async function onboardUser(
  tx: Tx,
  newUser: UserProjection,
  joined: Joining | undefined,
  { publish, now, requestId }: { publish: Publish<'messaging'>; now: Date; requestId: string | null },
): Promise<void> {
  const realmId = newUser.realm_id
  await shareChannelVisibilityLock(tx, realmId)
  const realm = await findKnownRealm(tx, realmId)
  const announcedInId = joined && realm ? realm.signup_announcements_stream_id : -1
  const wanted = await listWanted(tx, realmId, joined ?? BY_DEFAULT)
  const announcedIn = announcedInId > 0 ? await findChannelById(tx, realmId, announcedInId) : null
  // All at once, so that two changes never wait for each other.
  await lockRecipients(tx, recipientsOf(announcedIn ? [...wanted, announcedIn] : wanted))

  const channels = await listStillWanted(tx, realmId, wanted, joined ?? BY_DEFAULT)
  const added = await addSubscribers(tx, channels, [newUser.user_id])
  const open = channels.filter(({ inviteOnly }) => !inviteOnly)
  await backFill(tx, newUser.user_id, { channelIds: idsOf(open), recipientIds: recipientsOf(open) }, now)
  await publishSubscribers(tx, { createdIds: [], added }, publish, { realmId, requestId })
  if (joined && realm) {
    const details = { realm, joined, channels, announcedInId: announcedIn?.id ?? null }
    await announceNewUser(tx, newUser, details, { publish, now, requestId })
  }
  await queueVisibilityAfterJoin(tx, added, { realmId, requestId })
}

async function listWanted(tx: Tx, realmId: number, joined: typeof BY_DEFAULT): Promise<Channel[]> {
  const chosen = joined.stream_ids.length > 0 ? await listChannelsByIds(tx, realmId, joined.stream_ids) : []
  const defaults = joined.with_default_streams ? await listDefaultChannels(tx, realmId) : []
  return [...new Map([...chosen, ...defaults].map((channel) => [channel.id, channel])).values()]
}

/**
 * The channels that may still be joined: under the locks nobody archives them or removes them from the defaults. An
 * inviter into a private channel must still have access to it; otherwise users who were removed could return by their own
 * invitation.
 */
async function listStillWanted(
  tx: Tx,
  realmId: number,
  wanted: readonly Channel[],
  joined: typeof BY_DEFAULT,
): Promise<Channel[]> {
  const isChosen = new Set(joined.stream_ids)
  const { inviter_id } = joined
  const inviters = inviter_id === undefined ? null : await listMemberships(tx, inviter_id, joined.stream_ids)
  const channels = await listChannelsByIds(tx, realmId, idsOf(wanted))
  const inviterRole = inviter_id === undefined ? null : await findPublishedRole(tx, inviter_id)
  // Permissions give nothing to guests.
  const mayRead = (id: number) => (inviterRole ?? Role.guest) <= Role.member && inviters?.get(id)?.isReader
  const isIn = (id: number) => inviters === null || inviters.get(id)?.isActive || mayRead(id)
  return channels.filter(
    ({ id, isDefault, inviteOnly }) => isDefault || (isChosen.has(id) && (!inviteOnly || isIn(id))),
  )
}

const idsOf = (channels: readonly Channel[]): number[] => channels.map(({ id }) => id)
const recipientsOf = (channels: readonly Channel[]): number[] =>
  channels.map(({ recipientId }) => recipientId)
