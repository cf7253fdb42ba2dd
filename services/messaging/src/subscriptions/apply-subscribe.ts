import { badRequest } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { publishDefaultChannels } from '../channels/publish-default-channels.ts'
import { canJoinChannel } from '../kernel/access/channel.rules.ts'
import { type Channel, findChannelsByNames } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { type Effects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { queueVisibilityAfterJoin } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { listMemberships } from '../kernel/subscriptions/subscription.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { addSubscribers } from './add-subscribers.ts'
import { checkMayAdd } from './check-may-add.ts'
import { notifySubscribers } from './notify-subscribers.ts'
import type { CheckedSubscribe } from './prepare-subscribe.ts'
import { publishSubscribers } from './publish-subscribers.ts'
import type { RequestedChannel } from './requested-channels.rules.ts'
import { summarize } from './subscribe-summary.rules.ts'
import { visibilityChangesOf } from './visibility-changes.rules.ts'

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
  if (call.adder) await checkMayAdd(tx, call.adder, open)
  const userIds = users.map(({ user_id }) => user_id)
  const added = await addSubscribers(tx, open, userIds, colorsOf(open, requested))
  const createdIds = locked.created.map(({ id }) => id)
  await publishSubscribers(tx, { createdIds, added }, publish, { realmId: caller.realmId, requestId })
  await notifySubscribers(tx, call, { ...locked, channels: open, added }, { publish, requestId })
  if (locked.created.some(({ isDefault }) => isDefault)) {
    await publishDefaultChannels(tx, publish, { realmId: caller.realmId, requestId })
  }
  // An archived channel connects nobody.
  const isArchived = new Set(open.filter((channel) => channel.isArchived).map(({ id }) => id))
  const connected = added.filter(({ channelId }) => !isArchived.has(channelId))
  noteGuestVisibility(
    effects,
    await queueVisibilityAfterJoin(tx, connected, { realmId: caller.realmId, requestId }),
  )
  // A channel that was just created can't be the default channel of a bot.
  const isCreated = new Set(createdIds)
  const joined = connected.filter(({ channelId }) => !isCreated.has(channelId))
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
  const channels = found.toSorted((a, b) => a.id - b.id)
  // A channel was archived or renamed before the locks were acquired. This is rare enough to let the client retry.
  if (channels.length < requested.length) throw badRequest('A channel was archived meanwhile; try again.')
  const memberships = await listMemberships(
    tx,
    caller.userId,
    channels.map(({ id }) => id),
  )

  const isCreated = new Set(created.map(({ id }) => id))
  const mayJoin = (channel: Channel) =>
    isCreated.has(channel.id) || canJoinChannel(caller, channel, memberships.get(channel.id) ?? null)
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
