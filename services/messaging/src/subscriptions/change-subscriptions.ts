import type { Caller, Tx } from '@tms/service-kit'
import { inTransaction } from '@tms/service-kit'
import { findChannelsByNames } from '../channels/channel.queries.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { endKeeping } from '../messages/place-locks.queries.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import type { SightScope } from '../topics/retelling.queries.ts'
import {
  applySubscribing,
  createMissing,
  findAnnouncementPlace,
  type Subscribed,
  type Subscribing,
} from './subscribing.ts'
import { lockRecipients } from './subscription.queries.ts'
import { applyUnsubscribing, type Unsubscribed, type Unsubscribing } from './unsubscribing.ts'

interface Changes {
  readonly adding?: Subscribing | null
  readonly removing?: Unsubscribing | null
}

interface Made {
  readonly subscribed: Subscribed | null
  readonly unsubscribed: Unsubscribed | null
}

/** Subscribes and unsubscribes in one transaction, all or nothing. */
export async function changeSubscriptions(
  context: Context,
  caller: Caller,
  { adding = null, removing = null }: Changes,
  requestId: string,
): Promise<Made> {
  const telling = { publish: context.publish, requestId }
  const made = await inTransaction(context.db, async (tx): Promise<Made> => {
    if (removing) await endKeeping(tx, await findRecipients(tx, caller, [...removing.names.values()]))
    const created = adding ? await createMissing(tx, adding) : []
    const announcedIn = adding ? await findAnnouncementPlace(tx, adding) : null
    const names = [...(adding?.requested.map(({ name }) => name) ?? []), ...(removing?.names.values() ?? [])]
    // All at once, so that two calls never wait for each other.
    await lockRecipients(tx, [
      ...(await findRecipients(tx, caller, names)),
      ...(announcedIn ? [announcedIn.recipientId] : []),
    ])
    const scopes = await scopesOf(tx, caller, names, [...(adding?.users ?? []), ...(removing?.users ?? [])])
    const cause = { realmId: caller.realmId, requestId }
    return retellingTopics(tx, { publish: context.publish, cause, scopes }, async () => ({
      subscribed: adding ? await applySubscribing(tx, adding, { created, announcedIn }, telling) : null,
      unsubscribed: removing ? await applyUnsubscribing(tx, removing, telling) : null,
    }))
  })
  context.relay.wake()
  context.guestSights.wake()
  return made
}

/** Whom it concerns: in private channels everyone, since one that everybody has left is archived. */
async function scopesOf(
  tx: Tx,
  caller: Caller,
  names: readonly string[],
  users: readonly KnownUser[],
): Promise<SightScope[]> {
  const channels = await findChannelsByNames(tx, caller.realmId, names)
  const idsOf = (isClosed: boolean) =>
    channels.filter(({ inviteOnly }) => inviteOnly === isClosed).map(({ id }) => id)
  const userIds = users.map(({ user_id }) => user_id)
  return [{ channelIds: idsOf(true) }, { channelIds: idsOf(false), userIds }]
}

async function findRecipients(tx: Tx, caller: Caller, names: readonly string[]): Promise<number[]> {
  const channels = await findChannelsByNames(tx, caller.realmId, names)
  return channels.map(({ recipientId }) => recipientId)
}
