import { compilePattern, MATCH_GROUP } from '@tms/linkifiers'
import { LRUCache } from 'lru-cache'
import { parseTemplate } from 'url-template'
import { isAllowedUrl } from './link-safety.ts'
import type { Linkifier } from './rendering-settings.ts'

/** A link that a linkifier makes of a part of a text; `start` and `end` in code units. */
export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/** Code units that may yet be searched. */
interface Budget {
  left: number
}

type FindMatches = (text: string, budget: Budget) => Generator<LinkifierMatch>

/**
 * Of one text. A search takes linear time, but a pattern like `a(.*z)?` makes every search run to the end: 500,000
 * take 20 ms, and are enough for a hundred links in a line as long as a message, and more in shorter ones.
 */
const MAX_SEARCHED = 500_000

/** Compiled linkifiers of all organizations; too few costs milliseconds a message, too many memory. */
const compiled = new LRUCache<string, { find: FindMatches }>({ max: 2_000 })

/** The same by an organization's list, for the many texts that a message consists of. */
const compiledLists = new WeakMap<readonly Linkifier[], FindMatches[]>()

/**
 * What the linkifiers, in their order, find in a text, without overlaps and in the order of the text. `isTaken` says
 * which code units belong to something else; what is found is added to it. Takes bounded time: a line with very many links may have the last of them unfound.
 */
export function findLinkified(
  text: string,
  linkifiers: readonly Linkifier[],
  isTaken: Uint8Array = new Uint8Array(text.length),
): LinkifierMatch[] {
  const found: LinkifierMatch[] = []
  const budget: Budget = { left: MAX_SEARCHED }
  for (const find of findersOf(linkifiers)) {
    for (const match of find(text, budget)) {
      if (isTaken.subarray(match.start, match.end).includes(1)) continue
      isTaken.fill(1, match.start, match.end)
      found.push(match)
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

function findersOf(linkifiers: readonly Linkifier[]): FindMatches[] {
  const known = compiledLists.get(linkifiers) ?? linkifiers.map(finderOf)
  compiledLists.set(linkifiers, known)
  return known
}

function finderOf({ pattern, url_template }: Linkifier): FindMatches {
  const key = JSON.stringify([pattern, url_template])
  const known = compiled.get(key)
  if (known) return known.find
  const find = compile(pattern, url_template)
  compiled.set(key, { find })
  return find
}

function compile(pattern: string, urlTemplate: string): FindMatches {
  const template = parseTemplate(urlTemplate)
  const expression = compilePattern(pattern)
  return function* find(text, budget) {
    // Without groups to report, a search that finds nothing is a hundred times as fast.
    if (!expression?.test(text)) return
    const matcher = expression.matcher(text)
    for (let from = 0; from < text.length && budget.left > 0 && matcher.find(from); ) {
      budget.left -= text.length - from
      const [start, end] = [matcher.start(MATCH_GROUP), matcher.end(MATCH_GROUP)]
      const url = start < end ? template.expand(matcher.getNamedGroups()) : ''
      if (isAllowedUrl(url)) yield { start, end, url }
      // What follows a match may come before the next one.
      from = Math.max(end, from + 1)
    }
  }
}
