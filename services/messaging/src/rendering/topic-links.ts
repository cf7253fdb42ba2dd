import { LRUCache } from 'lru-cache'
import type { Linkifier } from '../kernel/rendering/rendering-settings.ts'
import { findAddresses } from './syntax/addresses.ts'
import { cleanText } from './syntax/clean-text.ts'
import { findLinkified } from './syntax/linkify.ts'

/** An address found in a topic. */
export interface TopicLink {
  text: string
  url: string
}

/**
 * Links by topic, since a page of messages has few topics. Garbage-collected with the organization's list of
 * linkifiers.
 */
const known = new WeakMap<readonly Linkifier[], LRUCache<string, TopicLink[]>>()
const MAX_KNOWN = 1_000
/** Every address contains one. */
const MAYBE_ADDRESS = ':'

/** Bare `http` and `https` addresses in a topic, and matches of linkifiers in the rest, in order. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  if (linkifiers.length === 0 && !topic.includes(MAYBE_ADDRESS)) return []
  let cache = known.get(linkifiers)
  if (!cache) {
    cache = new LRUCache<string, TopicLink[]>({ max: MAX_KNOWN })
    known.set(linkifiers, cache)
  }
  let links = cache.get(topic)
  if (!links) {
    links = findLinks(topic, linkifiers)
    cache.set(topic, links)
  }
  return links
}

function findLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const text = cleanText(topic)
  const isTaken = new Uint8Array(text.length)
  const addresses = findAddresses(text).filter(({ start }) => isWebAddress(text, start))
  for (const { start, end } of addresses) isTaken.fill(1, start, end)
  return [...addresses, ...findLinkified(text, linkifiers, isTaken)]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, url }) => ({ text: text.slice(start, end), url }))
}

const isWebAddress = (text: string, start: number) => /^https?:/i.test(text.slice(start, start + 6))
