import type { MarkdownIt } from 'markdown-it'
import { isAllowedUrl, withScheme } from './link-safety.ts'
import { measureWebAddress } from './web-addresses.ts'

type LinkFinder = MarkdownIt['linkify']

/**
 * Addresses need `http:`, `https:` or `mailto:`, or to be a plain email address. Bare host names stay text:
 * too many file names end like a domain (`main.rs`, `setup.py`).
 */
export function configureLinkFinder(finder: LinkFinder): LinkFinder {
  return finder
    .add('ftp:', null)
    .add('//', null)
    .add('http:', { validate: measureWebAddress })
    .add('https:', { validate: measureWebAddress })
    .set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false })
}

/** Makes every way to write a link pass the same check of its address. */
export function linkSafety(parser: MarkdownIt): void {
  configureLinkFinder(parser.linkify)
  const encode = parser.normalizeLink.bind(parser)
  parser.normalizeLink = (url) => encode(withScheme(url))
  parser.validateLink = isAllowedUrl
  // Decoding for display would let a link to one host look like another.
  parser.normalizeLinkText = (url) => url
}
