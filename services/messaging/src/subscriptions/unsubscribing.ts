import { badRequest, type EndpointInput, type endpoints, type PolicySubject } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { type Channel, findChannelsByNames } from '../channels/channel.queries.ts'
import { canSeeChannel } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { standingOf } from '../directory/standing.ts'
import { visibilityChangesOf } from '../other-services/effects.rules.ts'
import type { Effects } from '../other-services/effects.ts'
import { leaveChannels } from './leave-channels.ts'
import { checkCallSize, findPrincipals } from './principals.ts'
import { mayRemoveOthers } from './remove-others.rules.ts'
import { listMemberships } from './subscription.queries.ts'

/** What a call of unsubscribe asks for, checked as far as that goes without locks. */
export interface Unsubscribing {
  readonly caller: Caller
  readonly standing: PolicySubject
  readonly users: readonly KnownUser[]
  /** Names as they were sent, by their key. */
  readonly names: ReadonlyMap<string, string>
}

/** Looks up what unsubscribe needs. Throws BAD_REQUEST. */
export async function prepareUnsubscribing(
  context: Context,
  caller: Caller,
  input: EndpointInput<typeof endpoints.messaging.unsubscribe>,
): Promise<Unsubscribing> {
  const names = new Map(input.subscriptions.map((name) => [caseKey(name.trim()), name.trim()]))
  const users = await findPrincipals(context, caller, input.principals)
  checkCallSize(names.size, users.length)
  const [realm, user] = await Promise.all([
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  return { caller, standing: standingOf(user, realm, context.now()), users, names }
}

/** What unsubscribe did: channel names. */
export interface Unsubscribed {
  readonly removed: string[]
  readonly not_removed: string[]
}

/**
 * Unsubscribes and tells of it, last in the transaction; the channels must be locked. A private channel that nobody
 * is left in is archived.
 */
export async function applyUnsubscribing(
  tx: Tx,
  call: Unsubscribing,
  { publish, requestId, effects }: { publish: Context['publish']; requestId: string; effects: Effects },
): Promise<Unsubscribed> {
  const { caller, users } = call
  const channels = await findKnown(tx, call)
  if (users.some((user) => !isOwn(caller, user))) await checkMayRemove(tx, call, channels)

  const leaving = { channelIds: channels.map(({ id }) => id), userIds: users.map(({ user_id }) => user_id) }
  const cause = { realmId: caller.realmId, requestId }
  const leavers = await leaveChannels(tx, leaving, { publish, cause, effects })
  effects.visibilityChanges.push(...visibilityChangesOf([...leavers.values()].flat(), channels, users))
  const countOf = ({ id }: Channel) => leavers.get(id)?.length ?? 0
  return {
    removed: channels.filter((channel) => countOf(channel) > 0).map(({ name }) => name),
    not_removed: channels.filter((channel) => countOf(channel) < users.length).map(({ name }) => name),
  }
}

/** Oneself, and the bots that one owns. */
const isOwn = ({ userId }: Caller, user: KnownUser): boolean =>
  user.user_id === userId || user.bot_owner_id === userId

/** The channels of these names. One that the caller can't know of is as good as none: BAD_REQUEST. */
async function findKnown(tx: Tx, { caller, names }: Unsubscribing): Promise<Channel[]> {
  const found = await findChannelsByNames(tx, caller.realmId, [...names.values()])
  const memberships = await membershipsOf(tx, caller, found)
  // Whoever was once subscribed knows of it, so that leaving twice is no error.
  const known = found.filter((channel) => memberships.has(channel.id) || canSeeChannel(caller, channel, null))
  const knownNames = new Set(known.map(({ name }) => caseKey(name)))
  const unknown = [...names].filter(([key]) => !knownNames.has(key)).map(([, name]) => name)
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return known
}

async function checkMayRemove(tx: Tx, { caller, standing }: Unsubscribing, channels: readonly Channel[]) {
  const memberships = await membershipsOf(tx, caller, channels)
  for (const channel of channels) {
    if (!mayRemoveOthers(standing, channel, memberships.get(channel.id) ?? null)) {
      throw badRequest('Insufficient permission')
    }
  }
}

function membershipsOf(tx: Tx, { userId }: Caller, channels: readonly Channel[]) {
  return listMemberships(
    tx,
    userId,
    channels.map(({ id }) => id),
  )
}
