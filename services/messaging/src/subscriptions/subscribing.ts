import { badRequest, type EndpointInput, type endpoints, limits, policyAllows, Role } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { announceDefaultChannels } from '../channels/announce-default-channels.ts'
import {
  type Channel,
  findChannelById,
  findChannelsByNames,
  insertChannels,
  listChannelsByIds,
} from '../channels/channel.queries.ts'
import { canAccessChannel } from '../channels/channel.rules.ts'
import {
  type ChannelSettings,
  checkMayCreate,
  creationGroupOf,
  parseChannelSettings,
} from '../channels/channel-settings.rules.ts'
import { lockNewChannelCount } from '../channels/new-channel-count.queries.ts'
import { renderDescription } from '../channels/render-description.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { listPublishedInactive, shareSight } from '../directory/standing.queries.ts'
import { standingOf } from '../directory/standing.ts'
import { isInAny } from '../groups/group-membership.ts'
import { settleJoined } from '../guest-visibility/settle-sights.ts'
import { findSpeaker, type Speaker } from '../messages/notices.ts'
import { visibilityChangesOf } from '../other-services/effects.rules.ts'
import { type Effects, noteGuestVisibility } from '../other-services/effects.ts'
import { addSubscribers } from './add-subscribers.ts'
import { announceSubscribers } from './announce-subscribers.ts'
import { notifySubscribers } from './notify-subscribers.ts'
import { checkCallSize, concernsOthers, findPrincipals } from './principals.ts'
import { parseRequestedChannels, type RequestedChannel } from './requested-channels.rules.ts'
import { summarize } from './subscribe-summary.rules.ts'
import { listMemberships } from './subscription.queries.ts'

/** What a call of subscribe asks for, checked as far as that goes without locks. */
export interface Subscribing {
  readonly caller: Caller
  readonly actor: KnownUser
  readonly users: readonly KnownUser[]
  readonly requested: readonly RequestedChannel[]
  /** Those of `requested` that are to be created, and how; null for none. */
  readonly missing: readonly RequestedChannel[]
  readonly settings: ChannelSettings | null
  readonly isFatal: boolean
  readonly announces: boolean
  readonly speaker: Speaker
}

/** Looks up what subscribe needs, and checks what it can before any lock. Throws BAD_REQUEST and others. */
export async function prepareSubscribing(
  context: Context,
  caller: Caller,
  input: EndpointInput<typeof endpoints.messaging.subscribe>,
): Promise<Subscribing> {
  if (caller.role > Role.member) throw badRequest('Not allowed for guest users')
  const requested = parseRequestedChannels(input.subscriptions)
  const users = await findPrincipals(context, caller, input.principals)
  checkCallSize(requested.length, users.length)
  const [speaker, actor] = await Promise.all([
    findSpeaker(context, caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  const { realm } = speaker
  const standing = standingOf(actor, realm, context.now())
  if (concernsOthers(caller, users) && !policyAllows(realm.invite_to_stream_policy, standing)) {
    throw badRequest('Insufficient permission')
  }
  const found = await findChannelsByNames(context.db, caller.realmId, namesOf(requested))
  const names = new Set(found.map(({ name }) => caseKey(name)))
  const missing = requested.filter(({ name }) => !names.has(caseKey(name)))
  const settings = missing.length > 0 ? parseChannelSettings(input) : null
  if (settings) {
    const groupId = creationGroupOf(settings, realm)
    const creator = { userId: caller.userId, standing }
    const isInGroup = groupId !== null && (await isInAny(context.db, [groupId], [creator]))
    checkMayCreate({ ...standing, isInGroup }, settings, realm)
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
    speaker,
  }
}

/** Throws BAD_REQUEST if the caller has created too many channels today; call it before taking any lock. */
export async function checkDailyCreations(tx: Tx, { caller, missing }: Subscribing): Promise<void> {
  if (missing.length === 0 || caller.role <= Role.administrator) return
  if ((await lockNewChannelCount(tx, caller)) + missing.length > limits.maxNewChannelsPerDay) {
    throw badRequest(`You can create at most ${limits.maxNewChannelsPerDay} channels in a day.`)
  }
}

/**
 * Creates the channels that are missing; call it before taking any lock. Throws BAD_REQUEST if one of the users has
 * been deactivated meanwhile: from here on that doesn't change.
 */
export async function createMissing(
  tx: Tx,
  { caller, users, missing, settings, speaker: { realm } }: Subscribing,
): Promise<Channel[]> {
  await shareSight(tx, caller.realmId)
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

/** Where new channels are announced: null unless the call asks for that and there is such a place. */
export async function findAnnouncementPlace(
  tx: Tx,
  { caller, announces, settings, speaker: { realm } }: Subscribing,
): Promise<Channel | null> {
  // To tell of a private channel is for those who are in it.
  if (!announces || !settings || settings.inviteOnly) return null
  const channelId = realm.new_stream_announcements_stream_id
  return channelId > 0 ? findChannelById(tx, caller.realmId, channelId) : null
}

/** What subscribe did. */
export type Subscribed = ReturnType<typeof summarize> & { readonly unauthorized?: string[] }

/** Subscribes and tells of it, last in the transaction; the channels and `announcedIn` must be locked. */
export async function applySubscribing(
  tx: Tx,
  call: Subscribing,
  made: { readonly created: readonly Channel[]; readonly announcedIn: Channel | null },
  { publish, requestId, effects }: { publish: Context['publish']; requestId: string; effects: Effects },
): Promise<Subscribed> {
  const { caller, users, requested, isFatal } = call
  const { open, closed } = await sortByAccess(tx, call, made.created)
  if (closed.length > 0 && isFatal) {
    throw badRequest(`Unable to access channel (${namesOf(closed).join(', ')}).`)
  }
  const userIds = users.map(({ user_id }) => user_id)
  const added = await addSubscribers(tx, open, userIds, colorsOf(open, requested))
  const createdIds = made.created.map(({ id }) => id)
  await announceSubscribers(tx, { createdIds, added }, publish, { realmId: caller.realmId, requestId })
  await notifySubscribers(tx, call, { ...made, channels: open, added }, { publish, requestId })
  if (made.created.some(({ isDefault }) => isDefault)) {
    await announceDefaultChannels(tx, publish, { realmId: caller.realmId, requestId })
  }
  noteGuestVisibility(effects, await settleJoined(tx, added, { realmId: caller.realmId, requestId }))
  // No bot can have a channel by default that is just being created.
  const isCreated = new Set(createdIds)
  const joined = added.filter(({ channelId }) => !isCreated.has(channelId))
  effects.visibilityChanges.push(...visibilityChangesOf(joined, open, users))
  return { ...summarize(open, users, added), ...(isFatal ? {} : { unauthorized: namesOf(closed) }) }
}

/**
 * Says which of the requested channels the caller may subscribe to. Under their locks neither a channel's
 * subscribers nor its being archived change any more.
 */
async function sortByAccess(
  tx: Tx,
  { caller, requested }: Subscribing,
  created: readonly Channel[],
): Promise<{ open: Channel[]; closed: Channel[] }> {
  const found = await findChannelsByNames(tx, caller.realmId, namesOf(requested))
  const channelIds = found.map(({ id }) => id)
  const channels = await listChannelsByIds(tx, caller.realmId, channelIds)
  // Archived, or renamed, while we waited: rare enough to leave the next try to the client.
  if (channels.length < requested.length) throw badRequest('A channel was archived meanwhile; try again.')
  const memberships = await listMemberships(tx, caller.userId, channelIds)

  const isCreated = new Set(created.map(({ id }) => id))
  const mayJoin = (channel: Channel) =>
    isCreated.has(channel.id) || canAccessChannel(caller, channel, memberships.get(channel.id) ?? null)
  return { open: channels.filter(mayJoin), closed: channels.filter((channel) => !mayJoin(channel)) }
}

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name)
}

function colorsOf(channels: readonly Channel[], requested: readonly RequestedChannel[]): Map<number, string> {
  const asked = new Map(requested.map(({ name, color }) => [caseKey(name), color]))
  const colors = new Map<number, string>()
  for (const { id, name } of channels) {
    const color = asked.get(caseKey(name))
    if (color !== undefined) colors.set(id, color)
  }
  return colors
}
