import { AppError, type RealmProjection } from '@tms/contracts'
import type { Wait } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findOnlySite } from '../kernel/sign-on/only-site.ts'

interface PageRequest {
  readonly host: string
  readonly context: Context
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The organization at the page's host. Throws NONEXISTENT_SUBDOMAIN. */
export async function anyRealmOf({ host, context }: PageRequest): Promise<RealmProjection> {
  const realm = await context.realms.findByHost(host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN', { message: 'There is no organization here' })
  return realm
}

/** The active organization at the page's host. Throws NONEXISTENT_SUBDOMAIN, REALM_DEACTIVATED. */
export async function realmOf(request: PageRequest): Promise<RealmProjection> {
  const realm = await anyRealmOf(request)
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  return realm
}

/** The client's address, by which mails are limited. The gateway sets it. */
export function ipOf({ headers }: Pick<PageRequest, 'headers'>): string {
  return headers['x-forwarded-for'] ?? ''
}

export function tooManyMails(retryAfterSeconds: number): Wait {
  return {
    alert: `Too many mails were asked for. Try again in ${formatWait(retryAfterSeconds)}.`,
    retryAfterSeconds,
  }
}

/** Addresses of pages, which lead to each other. */
export const LOG_IN_PATH = '/accounts/login/'
export const ACCOUNT_PATH = '/account/'
export const USERS_PATH = '/account/users/'
export const NOTIFICATIONS_PATH = '/account/notifications/'
export const DEACTIVATED_PATH = '/accounts/deactivated/'

/** The log-in page for people who have just logged out: it must not lead on to where they would be logged in again. */
export const loggedOutPathOf = (context: Pick<Context, 'signOn'>, realm: RealmProjection): string =>
  findOnlySite(context, realm) === null ? LOG_IN_PATH : `${LOG_IN_PATH}?preview=true`

/** For users: "a minute", "2 hours". */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'a minute'
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  return hours === 1 ? 'an hour' : `${hours} hours`
}
