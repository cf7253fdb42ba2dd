import type { MarkdownIt, StateInline } from 'markdown-it'
import type { LinkableChannel } from '../../kernel/rendering/mention-lookup.ts'
import { channelUrl, topicUrl } from '../syntax/channel-urls.ts'
import { mayStartReference, readChannel, type WrittenChannel } from '../syntax/reference-syntax.ts'
import { contextOf } from '../syntax/render-context.ts'
import { pushTextElement } from './text-element.ts'

const HASH = 0x23

/** Links to channels and topics. An unknown channel stays text. */
export function channelLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('emphasis', 'channel_link', channelLink)
}

function channelLink(state: StateInline, isSilent: boolean): boolean {
  // A link cannot hold a link.
  if (state.src.charCodeAt(state.pos) !== HASH || state.linkLevel > 0) return false
  if (!mayStartReference(state.src, state.pos)) return false
  const written = readChannel(state.src, state.pos)
  if (!written || state.pos + written.length > state.posMax) return false

  const isKnown = pushLink(state, written, contextOf(state.env).lookup.channelsByName, isSilent)
  if (isKnown) state.pos += written.length
  return isKnown
}

function pushLink(
  state: StateInline,
  { whole, withTopic }: WrittenChannel,
  channels: ReadonlyMap<string, LinkableChannel>,
  isSilent: boolean,
): boolean {
  const topicChannel = withTopic && channels.get(withTopic.name)
  const channel = topicChannel ?? channels.get(whole)
  if (!channel) return false
  if (isSilent) return true

  const topic = topicChannel ? withTopic.topic : null
  pushTextElement(
    state,
    'a',
    [
      ['class', topic === null ? 'stream' : 'stream-topic'],
      ['data-stream-id', channel.channelId],
      ['href', topic === null ? channelUrl(channel) : topicUrl(channel, topic)],
    ],
    topic === null ? `#${channel.name}` : `#${channel.name} > ${topic}`,
  )
  return true
}
