import { badRequest } from '@tms/contracts'
import { type Caller, type Tx, transact } from '@tms/service-kit'
import { checkGroupsStillActive } from '../channels/check-permission-values.ts'
import { type Channel, findChannelsByNames } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { newEffects } from '../kernel/effects/effects.ts'
import { shareChannelGrantsLock } from '../kernel/locks/channel-grants-lock.queries.ts'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'
import { takeRemovalLocks } from '../kernel/locks/removal-locks.queries.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import { applySubscribe, type SubscribeResult } from './apply-subscribe.ts'
import { applyUnsubscribe, type UnsubscribeResult } from './apply-unsubscribe.ts'
import { checkDailyCreations, createMissing, findAnnouncementChannel } from './create-missing-channels.ts'
import type { CheckedSubscribe } from './prepare-subscribe.ts'
import type { CheckedUnsubscribe } from './prepare-unsubscribe.ts'
import { lockActivity } from './principals.ts'

interface Changes {
  readonly adding?: CheckedSubscribe | null
  readonly removing?: CheckedUnsubscribe | null
}

interface ChangeResult {
  readonly subscribed: SubscribeResult | null
  readonly unsubscribed: UnsubscribeResult | null
}

/** Subscribes and unsubscribes in one transaction, all or nothing. */
export async function changeSubscriptions(
  context: Context,
  caller: Caller,
  { adding = null, removing = null }: Changes,
  requestId: string,
): Promise<ChangeResult> {
  const effects = newEffects()
  const publishContext = { publish: context.publish, requestId, effects }
  const cause = { realmId: caller.realmId, requestId }
  const result = await transact(context.db, async (tx): Promise<ChangeResult> => {
    const locked = await lockNamedChannels(context, tx, caller, { adding, removing })
    const users = [...(adding?.users ?? []), ...(removing?.users ?? [])]
    const scopes = [{ channelIds: idsOf(locked.all), userIds: users.map(({ user_id }) => user_id) }]
    return withTopicRefresh(tx, { publish: context.publish, cause, scopes }, async () => ({
      subscribed: adding ? await applySubscribe(tx, adding, locked, publishContext) : null,
      unsubscribed: removing ? await applyUnsubscribe(tx, removing, publishContext) : null,
    }))
  })
  await context.propagateEffects(effects, cause)
  return result
}

/** The locked channels of a call. Their names can't change any more. */
interface LockedChannels {
  readonly all: readonly Channel[]
  readonly created: readonly Channel[]
  readonly announcedIn: Channel | null
}

/**
 * Creates the missing channels, and locks all named ones. Throws BAD_REQUEST if a name belongs to another channel
 * by then.
 */
async function lockNamedChannels(
  context: Pick<Context, 'checkGroupSettings'>,
  tx: Tx,
  caller: Caller,
  { adding, removing }: Changes,
): Promise<LockedChannels> {
  const find = async (names: readonly string[]) =>
    names.length === 0 ? [] : findChannelsByNames(tx, caller.realmId, names)
  const namesToLeave = [...(removing?.names.values() ?? [])]
  const names = [...(adding?.requested.map(({ name }) => name) ?? []), ...namesToLeave]

  if (adding) await checkDailyCreations(tx, adding)
  if (adding?.settings) {
    await shareChannelGrantsLock(tx, caller.realmId)
    await checkGroupsStillActive(context, caller, adding.settings.permissions)
  }
  if (adding) await lockActivity(tx, caller.realmId, adding.users)
  const leaving = await find(namesToLeave)
  if (removing) await takeRemovalLocks(tx, recipientsOf(leaving))
  const created = adding ? await createMissing(tx, adding) : []
  const announcedIn = adding ? await findAnnouncementChannel(tx, adding) : null
  const all = await find(names)
  // All at once, so that two calls can't deadlock.
  await lockRecipients(tx, recipientsOf(announcedIn ? [...all, announcedIn] : all))

  const isNew = new Set(idsOf(created))
  const stillLeaving = (await find(namesToLeave)).filter(({ id }) => !isNew.has(id))
  if (!isSame(leaving, stillLeaving) || !isSame(all, await find(names))) {
    throw badRequest('A channel was renamed or archived meanwhile; try again.')
  }
  return { all, created, announcedIn }
}

/** Whether names still belong to the same channels. */
function isSame(before: readonly Channel[], now: readonly Channel[]): boolean {
  const ids = new Set(idsOf(before))
  return ids.size === now.length && now.every(({ id }) => ids.has(id))
}

const idsOf = (channels: readonly Channel[]): number[] => channels.map(({ id }) => id)
const recipientsOf = (channels: readonly Channel[]): number[] =>
  channels.map(({ recipientId }) => recipientId)
