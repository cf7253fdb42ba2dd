import { AppError, type endpoints, knownTimeZone, limits, quietUntil } from '@tms/contracts'
import { type Handler, type PageAnswer, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { listOwnDevices } from '../kernel/pushes/push-device.queries.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { removeOwnDevice, showDevice } from '../push-devices/own-devices.ts'
import { protectForms } from '../sessions/own-forms.ts'
import { changeSettings } from '../settings/change-settings.ts'
import { changesOf } from '../settings/setting-changes.rules.ts'
import { type PageRequest, type Visit, visitOf, visitOfForm } from './account-visit.ts'
import { type NotificationsView, notificationsView, type ShownDevice } from './notification-views.ts'
import { NOTIFICATIONS_PATH } from './page-request.ts'
import { quietFormOf, quietHoursOf, readQuietForm, storedQuietHours } from './quiet-form.rules.ts'

type Pages = typeof endpoints.users
type FormRequest = PageRequest & { readonly requestId: string }

const MAX_MINUTES = limits.maxSnoozeDays * 1_440

export const handleShowNotificationsPage: Handler<Pages['showNotificationsPage'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOf(request, NOTIFICATIONS_PATH)
  return visit instanceof RedirectAnswer ? visit : showNotifications(request, visit)
}

export const handleSubmitDevicesForm: Handler<Pages['submitDevicesForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOfForm(request, NOTIFICATIONS_PATH)
  if (!('session' in visit)) return visit
  const { account } = visit
  const id = Number(request.input.remove)
  const caller = { userId: account.id, realmId: account.realmId, role: account.role, isBot: false }
  // Loading the page again, or removing it in two windows, is no mistake.
  if (Number.isSafeInteger(id)) await removeOwnDevice(request.context, caller, id, request.requestId)
  return new RedirectAnswer(`${NOTIFICATIONS_PATH}#devices`)
}

export const handleSubmitSnoozeForm: Handler<Pages['submitSnoozeForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOfForm(request, NOTIFICATIONS_PATH)
  if (!('session' in visit)) return visit
  const minutes = Number(request.input.minutes || Number.NaN)
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_MINUTES)
    return showNotifications(request, visit, { wrongSnooze: 'Choose for how long.' })
  const now = Math.floor(request.context.now().getTime() / 1_000)
  await change(request, visit, { quiet_until: minutes === 0 ? 0 : now + minutes * 60 })
  return new RedirectAnswer(`${NOTIFICATIONS_PATH}#snooze`)
}

export const handleSubmitQuietHoursForm: Handler<Pages['submitQuietHoursForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOfForm(request, NOTIFICATIONS_PATH)
  if (!('session' in visit)) return visit
  const quiet = readQuietForm(request.input)
  const hours = quietHoursOf(quiet)
  if (hours === null)
    return showNotifications(request, visit, { quiet, wrong: 'Choose when quiet hours begin and end.' })
  if (hours.quiet_hours_enabled && hours.quiet_hours_days + hours.quiet_whole_days === 0)
    return showNotifications(request, visit, { quiet, wrong: 'Choose the days of quiet times.' })
  await change(request, visit, { ...hours })
  return new RedirectAnswer(`${NOTIFICATIONS_PATH}#hours`)
}

/** Changes settings of the visitor's account, as the API does. */
async function change(
  { context, requestId }: FormRequest,
  { account }: Visit,
  choices: Readonly<Record<string, boolean | number>>,
): Promise<void> {
  await context.transact(async (tx) => {
    const locked = await lockAccount(tx, account.realmId, account.id)
    if (!locked?.isActive) throw new AppError('USER_DEACTIVATED')
    const changes = changesOf(locked, choices)
    if (changes.length > 0) await changeSettings(tx, locked, changes, requestId)
  })
}

async function showNotifications(
  request: PageRequest,
  { realm, session, account }: Visit,
  more: Partial<NotificationsView> = {},
): Promise<PageAnswer> {
  const { context } = request
  const settings = settingsOf(account)
  const hours = storedQuietHours(settings)
  const quiet_until = Number(settings['quiet_until'] ?? 0)
  const now = context.now()
  const snoozedUntil = new Date(quiet_until * 1_000)
  return notificationsView(realm, {
    protection: protectForms(request, realm, session),
    timeZone: knownTimeZone(account.timezone),
    quietUntil: quietUntil({ ...hours, quiet_until }, account.timezone, now),
    snoozedUntil: snoozedUntil > now ? snoozedUntil : null,
    quiet: quietFormOf(hours),
    devices: (await listOwnDevices(context.db, account.id)).map(toShownDevice),
    ...more,
  })
}

const KINDS = { apns: 'Apple device', fcm: 'Android device', web_push: 'Browser' } as const

function toShownDevice(device: Parameters<typeof showDevice>[0]): ShownDevice {
  const { id, service, name, is_encrypted, token_end } = showDevice(device)
  return {
    ...{ id, tokenEnd: token_end, isEncrypted: is_encrypted, registeredAt: device.registeredAt },
    name: name === '' ? KINDS[service] : `${KINDS[service]} (${name})`,
  }
}
