import type { internal, PushNotice, PushOutcome, PushTrigger } from '@tms/contracts'
import { type InternalHandler, type Tx, transact } from '@tms/service-kit'
import { type Account, findAccounts } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Notice } from '../kernel/pushes/push.ts'
import { recordDevicesOf } from '../kernel/pushes/record-devices.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { addDeliveries, keepDevices, type NewDelivery, withdrawMessages } from './delivery.queries.ts'
import { claimNotices, countNotices, countNoticesOfHour } from './hand-over.queries.ts'
import { appearanceOf } from './hour-limit.rules.ts'
import { listDevicesOf, type ReachableDevice } from './reachable-device.queries.ts'
import { targetOf } from './target.rules.ts'

/** A notification that comes later is no news, and a device that is off for longer has other things to tell. */
const SECONDS = 86_400

/**
 * Queues notices for devices, each once, in their order, by a few statements for all of them. The accounts' own settings
 * decide, as of now.
 */
export const handlePushNotices: InternalHandler<typeof internal.users.pushNotices, Context> = async (
  { notices },
  context,
) => {
  const wanting = await findWanting(context, notices)
  const outcomes = await transact(context.db, (tx) => queue(tx, context, notices, wanting))
  context.pushes.deliveries.wake()
  // Deactivation and a new key delete devices without a word about it.
  const without = notices.filter((_, index) => outcomes[index] === 'no_devices')
  for (const { realm_id, user_id } of new Map(without.map((each) => [each.user_id, each])).values())
    await recordDevicesOf(context, realm_id, user_id)
  return { outcomes }
}

/** IDs of those users who want notifications on devices. */
async function findWanting(context: Context, notices: readonly PushNotice[]): Promise<ReadonlySet<number>> {
  const wanting = new Set<number>()
  for (const [realmId, ofRealm] of Map.groupBy(notices, ({ realm_id }) => realm_id)) {
    const realm = await context.realms.findById(realmId)
    // One that was deleted meanwhile fails no others.
    if (!realm) continue
    const ids = [...new Set(ofRealm.map(({ user_id }) => user_id))]
    for (const account of await findAccounts(context.prisma, realmId, ids))
      if (findPushObstacle(account, realm) === null) wanting.add(account.id)
  }
  return wanting
}

/** Why an account gets no notifications on devices; null if it gets them. */
export function findPushObstacle(account: Account, realm: { readonly is_active: boolean }): string | null {
  if (!realm.is_active) return 'The organization is deactivated.'
  if (!account.isActive) return 'The account is deactivated.'
  if (account.isBot) return 'The account is a bot.'
  const settings = settingsOf(account)
  return settings['enable_offline_push_notifications'] === true ||
    settings['enable_online_push_notifications'] === true
    ? null
    : 'The user has turned these notifications off (enable_offline_push_notifications, enable_online_push_notifications).'
}

async function queue(
  tx: Tx,
  { pushes, now }: Context,
  notices: readonly PushNotice[],
  wanting: ReadonlySet<number>,
): Promise<PushOutcome[]> {
  const userIds = [...new Set(notices.map(({ user_id }) => user_id))]
  const claimed = await claimNotices(tx, notices, now())
  const devices = await listDevicesOf(tx, userIds, Object.keys(pushes.senders))
  const kept = await keepDevices(
    tx,
    [...devices.values()].flat().map(({ id }) => id),
  )
  const shown = await countNoticesOfHour(tx, userIds, now())
  const deliveries: NewDelivery[] = []
  const counted: string[] = []
  const summaries: string[] = []
  const outcomes = notices.map((notice): PushOutcome => {
    const { notice_id: noticeId, realm_id: realmId, user_id: accountId, message } = notice
    if (!claimed.has(noticeId)) return 'repeated'
    if (!wanting.has(accountId)) return 'unwanted'
    const own = devices.get(accountId)?.filter(({ id }) => kept.has(id)) ?? []
    if (own.length === 0) return 'no_devices'
    const add = (queued: Notice, to: readonly ReachableDevice[]) =>
      deliveries.push(
        ...to.map((device) => ({
          ...{ realmId, accountId, deviceId: device.id, target: targetOf(device) },
          ...{ notice: queued, seconds: SECONDS, isBulk: message !== null && !isUrgent(message.trigger) },
        })),
      )
    const unreadCount = notice.unread_count
    if (message === null) {
      const removed = { kind: 'remove', messageIds: notice.removed_message_ids, unreadCount } as const
      add(
        removed,
        own.filter(({ getsRemovals }) => getsRemovals),
      )
      return 'queued'
    }
    const before = shown.get(accountId) ?? { count: 0, isSummedUp: false }
    const appearance = appearanceOf(before, pushes.perHour)
    if (appearance === 'none') return 'limited'
    const isSummedUp = appearance === 'summary'
    shown.set(accountId, { count: before.count + 1, isSummedUp })
    counted.push(noticeId)
    if (isSummedUp) summaries.push(noticeId)
    const { waiting } = notice
    if (appearance === 'summary') add({ kind: 'summary', message }, own)
    else if (waiting) add({ kind: 'summary', message, waiting: { ...waiting, unreadCount } }, own)
    else add({ kind: 'message', message, unreadCount }, own)
    return appearance === 'message' ? 'queued' : 'limited'
  })
  await withdrawMessages(
    tx,
    notices.flatMap(({ user_id: accountId, removed_message_ids: ids }) =>
      ids.map((messageId) => ({ accountId, messageId })),
    ),
  )
  await addDeliveries(tx, deliveries)
  await countNotices(tx, counted, summaries)
  return outcomes
}

/** Whether a message is for the user rather than for many. */
const isUrgent = (trigger: PushTrigger): boolean => trigger === 'direct_message' || trigger === 'mentioned'
