import MarkdownIt from 'markdown-it'
import { configureLinkFinder } from './autolinks.ts'
import { cleanText } from './clean-text.ts'
import { findLinkified } from './linkify.ts'
import type { Linkifier } from './rendering-settings.ts'

/** An address found in a topic. */
export interface TopicLink {
  text: string
  url: string
}

const finder = configureLinkFinder(new MarkdownIt().linkify)

/** Raw `http` and `https` addresses in a topic and what linkifiers make of the rest, in order. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const text = cleanText(topic)
  const isTaken = new Uint8Array(text.length)
  const addresses = (finder.match(text) ?? [])
    .filter(({ schema }) => schema === 'http:' || schema === 'https:')
    .map(({ index, lastIndex, raw }) => ({ start: index, end: lastIndex, url: raw }))
  for (const { start, end } of addresses) isTaken.fill(1, start, end)
  return [...addresses, ...findLinkified(text, linkifiers, isTaken)]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, url }) => ({ text: text.slice(start, end), url }))
}
