import type { MarkdownIt } from 'markdown-it'

type LinkFinder = MarkdownIt['linkify']

/** `//name:password@`: the library's own ends at no `?` or `#`, and takes a query with an `@` for a user. */
const USER_INFO = /\/\/[\p{L}\p{N}_.~!$&'+,;=:%-]{1,100}@/uy

/** At the end of an address these belong to the sentence around it. The library leaves colons in. */
const SENTENCE_MARKS = ':.,;!?'

/**
 * How many code units from `start` on, right after `http:` or `https:`, are a web address; 0 for none. User information
 * is a part of it: cut off, the link would lead to a host of that name.
 */
export function measureWebAddress(text: string, start: number, { re }: LinkFinder): number {
  USER_INFO.lastIndex = start
  const hostAt = USER_INFO.test(text) ? USER_INFO.lastIndex : start + 2
  const rest = text.startsWith('//', start) ? `//${text.slice(hostAt)}` : ''
  const expression = re.get_http_validator()
  expression.lastIndex = 0
  const address = expression.exec(rest)?.[0]
  // In `http://a@b@c.com` readers and browsers take different parts for the host.
  if (address === undefined || rest.charAt(address.length) === '@') return 0
  return hostAt - 2 - start + endOfAddress(address)
}

function endOfAddress(address: string): number {
  let end = address.length
  for (;;) {
    const mark = address.charAt(end - 1)
    if (SENTENCE_MARKS.includes(mark)) end -= 1
    // Two or more strike through what is before them.
    else if (address.endsWith('~~', end)) while (address.charAt(end - 1) === '~') end -= 1
    else return end
  }
}
