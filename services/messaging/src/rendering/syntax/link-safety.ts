import type { MarkdownIt } from 'markdown-it'

/** Allows schemes instead of forbidding some: new schemes that run code keep being invented. */
const ALLOWED_SCHEME = /^(?:(?:https?|ftp|mailto|bitcoin):|file:\/\/\/)/i

/** Links within this service: uploads, avatars, narrows. */
const ROOTED = /^[/#]/
const UPLOAD = /^user_uploads\//

const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i
const MAIL_ADDRESS = /^[^/?#]*@/

/** Whether an address, as `href` will contain it, may be a link. */
export function isAllowedUrl(url: string): boolean {
  return ALLOWED_SCHEME.test(url) || ROOTED.test(url)
}

/**
 * `[t](example.com)` means the site, `[t](a@example.com)` the mailbox, and `[t](user_uploads/…)` the upload. Without
 * this, browsers would resolve them against our own address.
 */
function withScheme(url: string): string {
  if (url === '' || ROOTED.test(url) || ANY_SCHEME.test(url)) return url
  if (UPLOAD.test(url)) return `/${url}`
  return MAIL_ADDRESS.test(url) ? `mailto:${url}` : `http://${url}`
}

/** Applies the same address check to every kind of link. */
export function linkSafety(parser: MarkdownIt): void {
  const encode = parser.normalizeLink.bind(parser)
  parser.normalizeLink = (url) => encode(withScheme(url))
  parser.validateLink = isAllowedUrl
}
