import { badRequest, type endpoints, policyAllows, type RealmFacts, Role } from '@tms/contracts'
import { type Caller, type Handler, inTransaction, type Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import {
  type Channel,
  findChannelsByNames,
  insertChannels,
  listChannelsByIds,
} from '../channels/channel.queries.ts'
import { canAccessChannel } from '../channels/channel.rules.ts'
import { checkMayCreate, parseChannelSettings } from '../channels/channel-settings.rules.ts'
import { renderDescription } from '../channels/render-description.ts'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { addSubscribers } from './add-subscribers.ts'
import { announceSubscribers } from './announce-subscribers.ts'
import { checkCallSize, concernsOthers, findPrincipals } from './principals.ts'
import { parseRequestedChannels, type RequestedChannel } from './requested-channels.rules.ts'
import { summarize } from './subscribe-summary.rules.ts'
import { listMemberships, lockRecipients } from './subscription.queries.ts'

type Subscribe = Handler<typeof endpoints.messaging.subscribe, Context>

/** Subscribes users to channels and creates those that are missing, all or nothing. */
export const handleSubscribe: Subscribe = async ({ input, caller, context, requestId }) => {
  if (caller.role > Role.member) throw badRequest('Not allowed for guest users')
  const requested = parseRequestedChannels(input.subscriptions)
  const users = await findPrincipals(context, caller, input.principals)
  checkCallSize(requested.length, users.length)
  const [realm, user] = await Promise.all([
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  const standing = standingOf(user, realm, context.now())
  if (concernsOthers(caller, users) && !policyAllows(realm.invite_to_stream_policy, standing)) {
    throw badRequest('Insufficient permission')
  }

  const missing = withoutChannels(
    requested,
    await findChannelsByNames(context.db, caller.realmId, namesOf(requested)),
  )
  const settings = missing.length > 0 ? parseChannelSettings(input) : null
  if (settings) checkMayCreate(standing, settings, realm)

  const result = await inTransaction(context.db, async (tx) => {
    const created = settings
      ? await insertChannels(
          tx,
          missing.map((channel) => asNewChannel(realm, channel)),
          {
            ...settings,
            realmId: caller.realmId,
            creatorId: caller.userId,
          },
        )
      : []
    const { open, closed } = await lockRequested(tx, caller, requested, created)
    if (closed.length > 0 && (input.authorization_errors_fatal ?? true)) {
      throw badRequest(`Unable to access channel (${namesOf(closed).join(', ')}).`)
    }
    const userIds = users.map(({ user_id }) => user_id)
    const added = await addSubscribers(tx, open, userIds, colorsOf(open, requested))
    await announceSubscribers(tx, { createdIds: created.map(({ id }) => id), added }, context.publish, {
      realmId: caller.realmId,
      requestId,
    })
    return { open, closed, added }
  })
  context.relay.wake()
  return {
    ...summarize(result.open, users, result.added),
    ...(input.authorization_errors_fatal === false ? { unauthorized: namesOf(result.closed) } : {}),
  }
}

/**
 * Locks the requested channels and says which of them the caller may subscribe to. Under the lock neither a
 * channel's subscribers nor its being archived change any more.
 */
async function lockRequested(
  tx: Tx,
  caller: Caller,
  requested: readonly RequestedChannel[],
  created: readonly Channel[],
): Promise<{ open: Channel[]; closed: Channel[] }> {
  const found = await findChannelsByNames(tx, caller.realmId, namesOf(requested))
  await lockRecipients(
    tx,
    found.map(({ recipientId }) => recipientId),
  )
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

function withoutChannels(requested: readonly RequestedChannel[], found: readonly Channel[]) {
  const names = new Set(found.map(({ name }) => caseKey(name)))
  return requested.filter(({ name }) => !names.has(caseKey(name)))
}

function asNewChannel(realm: RealmFacts, { name, description }: RequestedChannel) {
  return { name, description, renderedDescription: renderDescription(realm, description) }
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
