import { compilePattern, MATCH_GROUP } from '@tms/linkifiers'
import { LRUCache } from 'lru-cache'
import { parseTemplate } from 'url-template'
import type { Linkifier } from '../../kernel/rendering/rendering-settings.ts'
import { isAllowedUrl } from './link-safety.ts'

/** A link that a linkifier makes from part of a text; `start` and `end` in code units. */
export interface LinkifierMatch {
  start: number
  end: number
  url: string
}

/** Code units that may still be searched. */
interface Budget {
  left: number
}

type FindMatches = (text: string, budget: Budget) => Generator<LinkifierMatch>

/**
 * Limit per text. A search takes linear time, but a pattern like `a(.*z)?` makes each search run to the end: 500,000
 * take 20 ms, which is enough for a hundred links in a line as long as a message, and more in shorter lines.
 */
const MAX_SEARCHED = 500_000

/** Compiled linkifiers of all organizations; too few cost milliseconds per message, too many cost memory. */
const compiled = new LRUCache<string, { find: FindMatches }>({ max: 2_000 })

/** Compiled linkifiers by an organization's list, for the many texts that a message consists of. */
const compiledLists = new WeakMap<readonly Linkifier[], FindMatches[]>()

/**
 * Finds matches of the linkifiers, applied in order, without overlaps and sorted by position. `isTaken` marks code
 * units that belong to something else; matches are added to it. Takes bounded time: in a line with very many links the
 * last ones may be missed.
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
    // A search without groups is a hundred times as fast if nothing matches.
    if (!expression?.test(text)) return
    const matcher = expression.matcher(text)
    for (let from = 0; from < text.length && budget.left > 0 && matcher.find(from); ) {
      budget.left -= text.length - from
      const [start, end] = [matcher.start(MATCH_GROUP), matcher.end(MATCH_GROUP)]
      const url = start < end ? template.expand(matcher.getNamedGroups()) : ''
      if (isAllowedUrl(url)) yield { start, end, url }
      // The end of one match may be the start of the next.
      from = Math.max(end, from + 1)
    }
  }
}
