import { badRequest, type EndpointInput, type endpoints, limits, policyAllows, Role } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { announceDefaultChannels } from '../channels/announce-default-channels.ts'
import {
  type ChannelSettings,
  checkMayCreate,
  creationGroupOf,
  parseChannelSettings,
} from '../channels/channel-settings.rules.ts'
import { insertChannels, lockNewChannelCount } from '../channels/new-channel.queries.ts'
import { renderDescription } from '../channels/render-description.ts'
import { canAccessChannel } from '../kernel/access/channel.rules.ts'
import {
  type Channel,
  findChannelById,
  findChannelsByNames,
  listChannelsByIds,
} from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { visibilityChangesOf } from '../kernel/effects/effects.rules.ts'
import { type Effects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { isInAny } from '../kernel/groups/group-membership.ts'
import { queueVisibilityAfterJoin } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { listPublishedInactive } from '../kernel/projections/published-membership.queries.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { findNoticeSender, type NoticeSender } from '../messages/notices.ts'
import { addSubscribers } from './add-subscribers.ts'
import { announceSubscribers } from './announce-subscribers.ts'
import { notifySubscribers } from './notify-subscribers.ts'
import { checkCallSize, concernsOthers, findPrincipals } from './principals.ts'
import { parseRequestedChannels, type RequestedChannel } from './requested-channels.rules.ts'
import { summarize } from './subscribe-summary.rules.ts'

/** A subscribe request after the checks that need no locks. */
export interface CheckedSubscribe {
  readonly caller: Caller
  readonly actor: KnownUser
  readonly users: readonly KnownUser[]
  readonly requested: readonly RequestedChannel[]
  /** The channels of `requested` to create, and their settings; null if there are none. */
  readonly missing: readonly RequestedChannel[]
  readonly settings: ChannelSettings | null
  readonly isFatal: boolean
  readonly announces: boolean
  readonly noticeSender: NoticeSender
}

/** Looks up what subscribe needs, and makes the checks that need no locks. Throws BAD_REQUEST and others. */
export async function prepareSubscribe(
  context: Context,
  caller: Caller,
  input: EndpointInput<typeof endpoints.messaging.subscribe>,
): Promise<CheckedSubscribe> {
  if (caller.role > Role.member) throw badRequest('Not allowed for guest users')
  const requested = parseRequestedChannels(input.subscriptions)
  const users = await findPrincipals(context, caller, input.principals)
  checkCallSize(requested.length, users.length)
  const [noticeSender, actor] = await Promise.all([
    findNoticeSender(context, caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const { realm } = noticeSender
  const policySubject = policySubjectOf(actor, realm, context.now())
  if (concernsOthers(caller, users) && !policyAllows(realm.invite_to_stream_policy, policySubject)) {
    throw badRequest('Insufficient permission')
  }
  const found = await findChannelsByNames(context.db, caller.realmId, namesOf(requested))
  const names = new Set(found.map(({ name }) => caseKey(name)))
  const missing = requested.filter(({ name }) => !names.has(caseKey(name)))
  const settings = missing.length > 0 ? parseChannelSettings(input) : null
  if (settings) {
    const groupId = creationGroupOf(settings, realm)
    const creator = { userId: caller.userId, policySubject: policySubject }
    const isInGroup = groupId !== null && (await isInAny(context.db, [groupId], [creator]))
    checkMayCreate({ ...policySubject, isInGroup }, settings, realm)
  }
  if (missing.length > limits.maxNewChannelsPerCall) {
    throw badRequest(`Too many new channels (limit: ${limits.maxNewChannelsPerCall}).`)
  }
  const isFatal = input.authorization_errors_fatal ?? true
  return {
    caller,
    actor,
    users,
    requested,
    missing,
    settings,
    isFatal,
    announces: input.announce ?? false,
    noticeSender,
  }
}

/** Throws BAD_REQUEST if the caller has created too many channels today. Call it before taking any lock. */
export async function checkDailyCreations(tx: Tx, { caller, missing }: CheckedSubscribe): Promise<void> {
  if (missing.length === 0 || caller.role <= Role.administrator) return
  if ((await lockNewChannelCount(tx, caller)) + missing.length > limits.maxNewChannelsPerDay) {
    throw badRequest(`You can create at most ${limits.maxNewChannelsPerDay} channels in a day.`)
  }
}

/**
 * Creates the missing channels. Call it before taking any lock. Throws BAD_REQUEST if one of the users has been
 * deactivated meanwhile; from here on none can be until the transaction ends.
 */
export async function createMissing(
  tx: Tx,
  { caller, users, missing, settings, noticeSender: { realm } }: CheckedSubscribe,
): Promise<Channel[]> {
  await shareChannelVisibilityLock(tx, caller.realmId)
  const [inactiveId] = await listPublishedInactive(
    tx,
    users.map(({ user_id }) => user_id),
  )
  if (inactiveId !== undefined) throw badRequest(`User is deactivated: ${inactiveId}`)
  if (!settings) return []
  const channels = missing.map(({ name, description }) => ({
    name,
    description,
    renderedDescription: renderDescription(realm, description),
  }))
  return insertChannels(tx, channels, { ...settings, realmId: caller.realmId, creatorId: caller.userId })
}

/**
 * Finds the channel for announcements of new channels: null unless the request asks for an announcement and there
 * is such a channel.
 */
export async function findAnnouncementChannel(
  tx: Tx,
  { caller, announces, settings, noticeSender: { realm } }: CheckedSubscribe,
): Promise<Channel | null> {
  // Private channels are not announced.
  if (!announces || !settings || settings.inviteOnly) return null
  const channelId = realm.new_stream_announcements_stream_id
  return channelId > 0 ? findChannelById(tx, caller.realmId, channelId) : null
}

/** The response of subscribe. */
export type SubscribeResult = ReturnType<typeof summarize> & { readonly unauthorized?: string[] }

/** Subscribes and publishes it, last in the transaction. The channels and `announcedIn` must be locked. */
export async function applySubscribe(
  tx: Tx,
  call: CheckedSubscribe,
  locked: { readonly created: readonly Channel[]; readonly announcedIn: Channel | null },
  { publish, requestId, effects }: { publish: Context['publish']; requestId: string; effects: Effects },
): Promise<SubscribeResult> {
  const { caller, users, requested, isFatal } = call
  const { open, closed } = await sortByAccess(tx, call, locked.created)
  if (closed.length > 0 && isFatal) {
    throw badRequest(`Unable to access channel (${namesOf(closed).join(', ')}).`)
  }
  const userIds = users.map(({ user_id }) => user_id)
  const added = await addSubscribers(tx, open, userIds, colorsOf(open, requested))
  const createdIds = locked.created.map(({ id }) => id)
  await announceSubscribers(tx, { createdIds, added }, publish, { realmId: caller.realmId, requestId })
  await notifySubscribers(tx, call, { ...locked, channels: open, added }, { publish, requestId })
  if (locked.created.some(({ isDefault }) => isDefault)) {
    await announceDefaultChannels(tx, publish, { realmId: caller.realmId, requestId })
  }
  noteGuestVisibility(
    effects,
    await queueVisibilityAfterJoin(tx, added, { realmId: caller.realmId, requestId }),
  )
  // A channel that was just created can't be the default channel of a bot.
  const isCreated = new Set(createdIds)
  const joined = added.filter(({ channelId }) => !isCreated.has(channelId))
  effects.visibilityChanges.push(...visibilityChangesOf(joined, open, users))
  return { ...summarize(open, users, added), ...(isFatal ? {} : { unauthorized: namesOf(closed) }) }
}

/**
 * Divides the requested channels into those that the caller may subscribe to and others. Under their locks neither
 * the subscribers nor the archival of a channel change any more.
 */
async function sortByAccess(
  tx: Tx,
  { caller, requested }: CheckedSubscribe,
  created: readonly Channel[],
): Promise<{ open: Channel[]; closed: Channel[] }> {
  const found = await findChannelsByNames(tx, caller.realmId, namesOf(requested))
  const channelIds = found.map(({ id }) => id)
  const channels = await listChannelsByIds(tx, caller.realmId, channelIds)
  // A channel was archived or renamed before the locks were acquired. This is rare enough to let the client retry.
  if (channels.length < requested.length) throw badRequest('A channel was archived meanwhile; try again.')
  const memberships = await listMemberships(tx, caller.userId, channelIds)

  const isCreated = new Set(created.map(({ id }) => id))
  const mayJoin = (channel: Channel) =>
    isCreated.has(channel.id) || canAccessChannel(caller, channel, memberships.get(channel.id) ?? null)
  return { open: channels.filter(mayJoin), closed: channels.filter((channel) => !mayJoin(channel)) }
}

function namesOf(channels: readonly { readonly name: string }[]): string[] {
  return channels.map(({ name }) => name)
}

function colorsOf(channels: readonly Channel[], requested: readonly RequestedChannel[]): Map<number, string> {
  const requestedColors = new Map(requested.map(({ name, color }) => [caseKey(name), color]))
  const colors = new Map<number, string>()
  for (const { id, name } of channels) {
    const color = requestedColors.get(caseKey(name))
    if (color !== undefined) colors.set(id, color)
  }
  return colors
}
