import type { internal, PushNotice, PushOutcome } from '@tms/contracts'
import { type InternalHandler, type Tx, transact } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Notice } from '../kernel/pushes/push.ts'
import { recordDevicesOf } from '../kernel/pushes/record-devices.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { addDeliveries, listDevices, type ReachableDevice, withdrawMessages } from './delivery.queries.ts'
import { claimNotice, countNotice, countNoticesOfHour } from './hand-over.queries.ts'
import { appearanceOf } from './hour-limit.rules.ts'
import { targetOf } from './target.rules.ts'

/** A notification that comes later is no news, and a device that is off for longer has other things to tell. */
const SECONDS = 86_400

/** Queues notices for devices, each once, in their order. The account's own settings decide, as of now. */
export const handlePushNotices: InternalHandler<typeof internal.users.pushNotices, Context> = async (
  { notices },
  context,
) => {
  const outcomes: PushOutcome[] = []
  for (const notice of notices) outcomes.push(await handOver(context, notice))
  context.pushes.deliveries.wake()
  return { outcomes }
}

async function handOver(context: Context, notice: PushNotice): Promise<PushOutcome> {
  const { realm_id: realmId, user_id: userId, notice_id: noticeId } = notice
  const account = await findAccount(context.prisma, realmId, userId)
  const realm = await getRealm(context, realmId)
  const outcome = await transact(context.db, async (tx): Promise<PushOutcome> => {
    if (!(await claimNotice(tx, { noticeId, realmId, userId, at: context.now() }))) return 'repeated'
    if (account === null || findPushObstacle(account, realm) !== null) return 'unwanted'
    return queue(tx, context, account, notice)
  })
  // Deactivation and a new key delete devices without a word about it.
  if (outcome === 'no_devices') await recordDevicesOf(context, realmId, userId)
  return outcome
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

async function queue(tx: Tx, context: Context, account: Account, notice: PushNotice): Promise<PushOutcome> {
  const { pushes } = context
  const devices = await listDevices(tx, account.id, Object.keys(pushes.senders))
  if (devices.length === 0) return 'no_devices'
  const { message, removed_message_ids: messageIds, unread_count: unreadCount } = notice
  const add = (queued: Notice, to: readonly ReachableDevice[]) =>
    addDeliveries(
      tx,
      { realmId: account.realmId, accountId: account.id },
      queued,
      to.map((device) => ({ id: device.id, target: targetOf(device) })),
      SECONDS,
    )
  if (message === null) {
    await withdrawMessages(tx, account.id, messageIds)
    await add(
      { kind: 'remove', messageIds, unreadCount },
      devices.filter(({ getsRemovals }) => getsRemovals),
    )
    return 'queued'
  }
  const shown = await countNoticesOfHour(tx, account.id, context.now(), Math.max(1, pushes.perHour))
  const appearance = appearanceOf(shown, pushes.perHour)
  if (appearance === 'none') return 'limited'
  await countNotice(tx, notice.notice_id)
  if (appearance === 'message') await add({ kind: 'message', message, unreadCount }, devices)
  else await add({ kind: 'summary', message }, devices)
  return appearance === 'message' ? 'queued' : 'limited'
}
