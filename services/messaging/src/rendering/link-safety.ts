/** A list of what is allowed, never of what is not: new schemes that run something keep being invented. */
const ALLOWED_SCHEME = /^(?:https?|ftps?|mailto|news|bitcoin):/i

/** Links within this service: uploads, avatars, narrows. */
const ROOTED = /^[/#]/

const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** Whether an address, as it will stand in `href`, may be a link. */
export function isAllowedUrl(url: string): boolean {
  return ALLOWED_SCHEME.test(url) || ROOTED.test(url)
}

/** `[t](example.com)` means the site; without a scheme a browser would look for it under our own address. */
export function withScheme(url: string): string {
  return url === '' || ROOTED.test(url) || ANY_SCHEME.test(url) ? url : `http://${url}`
}
