import MarkdownIt from 'markdown-it'
import { configureLinkFinder } from './autolinks.ts'
import { cleanText } from './clean-text.ts'

/** An address found in a topic. */
export interface TopicLink {
  text: string
  url: string
}

const finder = configureLinkFinder(new MarkdownIt().linkify)

/** Raw `http` and `https` addresses in a topic, in order. */
export function topicLinks(topic: string): TopicLink[] {
  const found = finder.match(cleanText(topic)) ?? []
  return found
    .filter(({ schema }) => schema === 'http:' || schema === 'https:')
    .map(({ raw }) => ({ text: raw, url: raw }))
}
