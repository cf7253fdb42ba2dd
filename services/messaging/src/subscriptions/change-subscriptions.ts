import type { Caller, Tx } from '@tms/service-kit'
import { inTransaction } from '@tms/service-kit'
import { findChannelsByNames } from '../channels/channel.queries.ts'
import type { Context } from '../context.ts'
import { endKeeping } from '../messages/place-locks.queries.ts'
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
    // All at once, so that two calls never wait for each other.
    await lockNamed(
      tx,
      caller,
      [...(adding?.requested.map(({ name }) => name) ?? []), ...(removing?.names.values() ?? [])],
      announcedIn ? [announcedIn.recipientId] : [],
    )
    return {
      subscribed: adding ? await applySubscribing(tx, adding, { created, announcedIn }, telling) : null,
      unsubscribed: removing ? await applyUnsubscribing(tx, removing, telling) : null,
    }
  })
  context.relay.wake()
  context.guestSights.wake()
  return made
}

async function lockNamed(
  tx: Tx,
  caller: Caller,
  names: readonly string[],
  alsoRecipientIds: readonly number[],
): Promise<void> {
  await lockRecipients(tx, [...(await findRecipients(tx, caller, names)), ...alsoRecipientIds])
}

async function findRecipients(tx: Tx, caller: Caller, names: readonly string[]): Promise<number[]> {
  const channels = await findChannelsByNames(tx, caller.realmId, names)
  return channels.map(({ recipientId }) => recipientId)
}
