/**
 * Cookies that pages set: the session, the secret of forms of people without one, and the state of a sign-in that is
 * under way at another site. Behind HTTPS they have `__Host-` before their name, so that no other host can set them.
 */
export const pageCookies = ['sessionid', 'csrftoken', 'signon'] as const
export type PageCookie = (typeof pageCookies)[number]

const SECURE_PREFIX = '__Host-'
const names: ReadonlySet<string> = new Set(pageCookies.flatMap((name) => [name, SECURE_PREFIX + name]))

export const cookieNameOf = (cookie: PageCookie, isSecure: boolean): string =>
  isSecure ? SECURE_PREFIX + cookie : cookie

/** Whether a cookie of this name is one of those. */
export const namesPageCookie = (name: string): boolean => names.has(name)
