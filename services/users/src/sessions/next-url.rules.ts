/** Whether a text has what browsers drop from URLs, or take for a slash. */
const isMisleading = (text: string): boolean => /[\p{Cc}\\]/u.test(text) || text.trim() !== text

/**
 * Where the browser goes on after signing in, as a path at this host: `next` if it is a path, or a URL of one of the
 * host's own origins. Null for everything else, since a link to the log-in page must not lead to another site.
 */
export function nextPathOf(next: string | undefined, ownOrigins: readonly string[]): string | null {
  if (next === undefined || isMisleading(next)) return null
  const [base = 'http://localhost'] = ownOrigins
  const isPath = next.startsWith('/') && !next.startsWith('//')
  const isOwn = ownOrigins.some((origin) => next === origin || next.startsWith(`${origin}/`))
  if (!(isPath || isOwn) || !URL.canParse(next, base)) return null
  const { pathname, search, hash } = new URL(next, base)
  // Such as `/.//elsewhere`, whose dot is dropped.
  return pathname.startsWith('//') ? null : pathname + search + hash
}
