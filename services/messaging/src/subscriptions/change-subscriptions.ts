import { badRequest } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { inTransaction } from '@tms/service-kit'
import { type Channel, findChannelsByNames } from '../channels/channel.queries.ts'
import { listDeserted } from '../channels/channel-update.queries.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { endKeeping } from '../messages/place-locks.queries.ts'
import { newEffects } from '../other-services/effects.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import type { SightScope } from '../topics/retelling.queries.ts'
import {
  applySubscribing,
  checkDailyCreations,
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
  const effects = newEffects()
  const telling = { publish: context.publish, requestId, effects }
  const cause = { realmId: caller.realmId, requestId }
  const made = await inTransaction(context.db, async (tx): Promise<Made> => {
    const named = await lockNamed(tx, caller, { adding, removing })
    const scopes = await scopesOf(tx, named, [...(adding?.users ?? []), ...(removing?.users ?? [])])
    return retellingTopics(tx, { publish: context.publish, cause, scopes }, async () => ({
      subscribed: adding ? await applySubscribing(tx, adding, named, telling) : null,
      unsubscribed: removing ? await applyUnsubscribing(tx, removing, telling) : null,
    }))
  })
  await context.bringEffects(effects, cause)
  context.relay.wake()
  return made
}

/** Channels of a call, which stay what their names stand for. */
interface Named {
  readonly all: readonly Channel[]
  readonly leaving: readonly Channel[]
  readonly created: readonly Channel[]
  readonly announcedIn: Channel | null
}

/** Creates the channels that are missing, and locks all that are named. Throws BAD_REQUEST if a name's channel is another meanwhile. */
async function lockNamed(tx: Tx, caller: Caller, { adding, removing }: Changes): Promise<Named> {
  const find = async (names: readonly string[]) =>
    names.length === 0 ? [] : findChannelsByNames(tx, caller.realmId, names)
  const namesToLeave = [...(removing?.names.values() ?? [])]
  const names = [...(adding?.requested.map(({ name }) => name) ?? []), ...namesToLeave]

  if (adding) await checkDailyCreations(tx, adding)
  const leaving = await find(namesToLeave)
  if (removing) await endKeeping(tx, recipientsOf(leaving))
  const created = adding ? await createMissing(tx, adding) : []
  const announcedIn = adding ? await findAnnouncementPlace(tx, adding) : null
  const all = await find(names)
  // All at once, so that two calls never wait for each other.
  await lockRecipients(tx, recipientsOf(announcedIn ? [...all, announcedIn] : all))

  const isNew = new Set(idsOf(created))
  const stillLeaving = (await find(namesToLeave)).filter(({ id }) => !isNew.has(id))
  if (!isSame(leaving, stillLeaving) || !isSame(all, await find(names))) {
    throw badRequest('A channel was renamed or archived meanwhile; try again.')
  }
  return { all, leaving, created, announcedIn }
}

/** Whom it concerns: the users, and everyone where nobody is left, since that is archived. */
async function scopesOf(tx: Tx, { all, leaving }: Named, users: readonly KnownUser[]): Promise<SightScope[]> {
  const userIds = users.map(({ user_id }) => user_id)
  const deserted = await listDeserted(tx, idsOf(leaving), userIds)
  const isDeserted = new Set(deserted)
  const others = idsOf(all).filter((id) => !isDeserted.has(id))
  return [
    { channelIds: deserted, muting: true },
    { channelIds: others, userIds },
  ]
}

/** Whether names stand for the same channels as before. */
function isSame(before: readonly Channel[], now: readonly Channel[]): boolean {
  const ids = new Set(idsOf(before))
  return ids.size === now.length && now.every(({ id }) => ids.has(id))
}

const idsOf = (channels: readonly Channel[]): number[] => channels.map(({ id }) => id)
const recipientsOf = (channels: readonly Channel[]): number[] =>
  channels.map(({ recipientId }) => recipientId)
