import { EMPTY_TOPIC_NAME } from '@tms/contracts'
import type { MarkdownIt, StateInline } from 'markdown-it'
import { type LinkableChannel, type MentionLookup, topicKey } from '../../kernel/rendering/mention-lookup.ts'
import { channelUrl, messageUrl, topicUrl } from '../syntax/channel-urls.ts'
import {
  mayStartReference,
  readChannel,
  type WrittenChannel,
  type WrittenTopic,
} from '../syntax/reference-syntax.ts'
import { contextOf } from '../syntax/render-context.ts'
import { type Part, pushTextElement } from './text-element.ts'

const HASH = 0x23

/** Links to channels, topics and messages. An unknown channel stays text. */
export function channelLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'channel_link', channelLink)
}

function channelLink(state: StateInline, isSilent: boolean): boolean {
  // A link cannot hold a link.
  if (state.src.charCodeAt(state.pos) !== HASH || state.linkLevel > 0) return false
  if (!mayStartReference(state.src, state.pos)) return false
  const written = readChannel(state.src, state.pos)
  if (!written || state.pos + written.length > state.posMax) return false

  const isKnown = pushLink(state, written, contextOf(state.env).lookup, isSilent)
  if (isKnown) state.pos += written.length
  return isKnown
}

function pushLink(
  state: StateInline,
  { whole, withTopic }: WrittenChannel,
  lookup: MentionLookup,
  isSilent: boolean,
): boolean {
  const channels = lookup.channelsByName
  const topicChannel = withTopic && channels.get(withTopic.name)
  const channel = topicChannel ?? channels.get(whole)
  if (!channel) return false
  if (isSilent) return true

  if (topicChannel) pushTopicLink(state, topicChannel, withTopic, lookup)
  else pushChannelLink(state, channel)
  return true
}

function pushChannelLink(state: StateInline, channel: LinkableChannel): void {
  const attributes = ['stream', channel.channelId, channelUrl(channel)] as const
  pushTextElement(state, 'a', linkAttributes(...attributes), [`#${channel.name}`])
}

function pushTopicLink(
  state: StateInline,
  channel: LinkableChannel,
  { topic, messageId }: WrittenTopic,
  { firstMessages }: MentionLookup,
): void {
  const { channelId } = channel
  const shown: Part[] = [`#${channel.name} > `, topic === '' ? { emphasized: EMPTY_TOPIC_NAME } : topic]
  if (messageId !== null) {
    const url = messageUrl(channel, topic, messageId)
    pushTextElement(
      state,
      'a',
      [
        ['class', 'message-link'],
        ['href', url],
      ],
      [...shown, ' @ \u{1F4AC}'],
    )
    return
  }
  const url = topicUrl(channel, topic, firstMessages.get(topicKey(channelId, topic)))
  pushTextElement(state, 'a', linkAttributes('stream-topic', channelId, url), shown)
}

const linkAttributes = (className: string, channelId: number, href: string): [string, string | number][] => [
  ['class', className],
  ['data-stream-id', channelId],
  ['href', href],
]
