import { z } from 'zod'
import { domain, organizations, filledText as text } from './setting-parts.ts'

/** Header by which the gateway says which user a trusted proxy has signed in. Nobody else's value passes the gateway. */
export const REMOTE_USER_HEADER = 'x-remote-user'

/** Part of paths, and the name in the API. */
export const REMOTE_USER_ID = 'remoteuser'

/** A proxy in front of the gateway that signs users in. */
export const remoteUser = z.strictObject({
  organizations,
  /** Completes user names without a domain. */
  append_domain: domain.optional(),
  /** What log-in pages call it. */
  display_name: text.max(60).default('SSO'),
})
export type RemoteUserSettings = z.output<typeof remoteUser>

/** The settings for an organization; with a subdomain of null, those that aren't limited to some. */
export function findRemoteUser(
  settings: { readonly remote_user?: RemoteUserSettings | undefined },
  subdomain: string | null,
): RemoteUserSettings | null {
  const { remote_user: one } = settings
  if (!one) return null
  const isOwn =
    one.organizations === undefined || (subdomain !== null && one.organizations.includes(subdomain))
  return isOwn ? one : null
}
