import { badRequest, domainEvents, type endpoints, type Standing } from '@tms/contracts'
import { type Caller, type Handler, inTransaction, type Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { archiveDeserted, type Channel, findChannelsByNames } from '../channels/channel.queries.ts'
import { canSeeChannel } from '../channels/channel.rules.ts'
import { listChannelRecords } from '../channels/channel-record.queries.ts'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { groupByChannel } from './group-by-channel.ts'
import { checkCallSize, concernsOthers, findPrincipals } from './principals.ts'
import { mayRemoveOthers } from './remove-others.rules.ts'
import { endSubscriptions, listMemberships, lockRecipients } from './subscription.queries.ts'

type Unsubscribe = Handler<typeof endpoints.messaging.unsubscribe, Context>

/** Unsubscribes users from channels; a private channel that nobody is left in is archived. */
export const handleUnsubscribe: Unsubscribe = async ({ input, caller, context, requestId }) => {
  const names = new Map(input.subscriptions.map((name) => [caseKey(name.trim()), name.trim()]))
  const users = await findPrincipals(context, caller, input.principals)
  checkCallSize(names.size, users.length)
  const [realm, user] = await Promise.all([
    context.directory.getRealm(caller.realmId),
    context.directory.getUser(caller.userId),
  ])
  const standing = standingOf(user, realm, context.now())

  const result = await inTransaction(context.db, async (tx) => {
    const channels = await lockNamed(tx, caller, names)
    if (concernsOthers(caller, users)) await checkMayRemove(tx, caller, standing, channels)

    const channelIds = channels.map(({ id }) => id)
    const removed = await endSubscriptions(
      tx,
      channelIds,
      users.map(({ user_id }) => user_id),
    )
    const archived = await archiveDeserted(tx, channelIds)
    const leavers = groupByChannel(removed)
    for (const channel of await listChannelRecords(tx, [...leavers.keys()])) {
      const userIds = (leavers.get(channel.stream_id) ?? []).map(({ userId }) => userId)
      await context.publish(
        tx,
        domainEvents.messaging.subscribersRemoved,
        {
          channel,
          user_ids: userIds.sort((a, b) => a - b),
          was_archived: archived.has(channel.stream_id),
        },
        { realmId: caller.realmId, requestId },
      )
    }
    return { channels, leavers }
  })
  context.relay.wake()

  const countOf = ({ id }: Channel) => result.leavers.get(id)?.length ?? 0
  return {
    removed: result.channels.filter((channel) => countOf(channel) > 0).map(({ name }) => name),
    not_removed: result.channels.filter((channel) => countOf(channel) < users.length).map(({ name }) => name),
  }
}

/** Locks the channels of these names. One that the caller can't know of is as good as none: BAD_REQUEST. */
async function lockNamed(tx: Tx, caller: Caller, names: ReadonlyMap<string, string>): Promise<Channel[]> {
  const found = await findChannelsByNames(tx, caller.realmId, [...names.values()])
  await lockRecipients(
    tx,
    found.map(({ recipientId }) => recipientId),
  )
  const memberships = await listMemberships(
    tx,
    caller.userId,
    found.map(({ id }) => id),
  )
  // Whoever was once subscribed knows of it, so that leaving twice is no error.
  const known = found.filter((channel) => memberships.has(channel.id) || canSeeChannel(caller, channel, null))
  const knownNames = new Set(known.map(({ name }) => caseKey(name)))
  const unknown = [...names].filter(([key]) => !knownNames.has(key)).map(([, name]) => name)
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return known
}

async function checkMayRemove(tx: Tx, caller: Caller, standing: Standing, channels: readonly Channel[]) {
  const memberships = await listMemberships(
    tx,
    caller.userId,
    channels.map(({ id }) => id),
  )
  for (const channel of channels) {
    if (!mayRemoveOthers(standing, channel, memberships.get(channel.id) ?? null)) {
      throw badRequest('Insufficient permission')
    }
  }
}
