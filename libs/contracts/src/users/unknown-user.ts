import { Role } from '../permissions/role.ts'
import type { UserWithActivity } from './records.ts'

/** The name shown for a user that a guest can't see. */
export const UNKNOWN_USER_NAME = 'Unknown user'
/** The same picture for all of them, so that it reveals nothing. */
export const UNKNOWN_USER_AVATAR =
  'https://secure.gravatar.com/avatar/00000000000000000000000000000000?d=mp&version=1'

/**
 * For organizations at a host that can't be part of an e-mail address, such as an IPv6 address. No mail is sent to
 * it.
 */
const FALLBACK_EMAIL_HOST = 'users.invalid'
const HOST = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
/** Leaves room for the local part in the 254 characters of an address. */
const MAX_HOST_LENGTH = 220

/** The domain of e-mail addresses made from IDs, in the organization at this host. */
export function emailHostOf(hostname: string): string {
  return hostname.length <= MAX_HOST_LENGTH && HOST.test(hostname) ? hostname : FALLBACK_EMAIL_HOST
}

/** An e-mail address made from an ID; `emailHost` is the organization's. */
export function emailOfId(userId: number, emailHost: string): string {
  return `user${userId}@${emailHost}`
}

/** The record that replaces a user that a guest can't see: only the ID is real. */
export function unknownUser(
  userId: number,
  emailHost: string,
  { withProfileData }: { readonly withProfileData: boolean },
): UserWithActivity {
  return {
    user_id: userId,
    email: emailOfId(userId, emailHost),
    delivery_email: null,
    full_name: UNKNOWN_USER_NAME,
    role: Role.member,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_billing_admin: false,
    is_bot: false,
    bot_type: null,
    timezone: '',
    date_joined: '1970-01-01T00:00:00+00:00',
    avatar_url: UNKNOWN_USER_AVATAR,
    avatar_version: 1,
    ...(withProfileData ? { profile_data: {} } : {}),
    is_active: true,
  }
}
