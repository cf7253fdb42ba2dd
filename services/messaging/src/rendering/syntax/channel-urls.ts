import type { LinkableChannel } from '../../kernel/rendering/mention-lookup.ts'
import { cleanText } from './clean-text.ts'

/** The path of a channel in the web client. */
export function channelUrl(channel: LinkableChannel): string {
  return `/#narrow/channel/${channel.channelId}-${encodeHashPart(channel.name.replaceAll(' ', '-'))}`
}

/** The path of a topic in the web client, where a message of it leads to it even after a move. */
export function topicUrl(channel: LinkableChannel, topic: string, messageId: number | undefined): string {
  const url = topicPath(channel, topic)
  return messageId === undefined ? url : `${url}/with/${messageId}`
}

/** The path of a message in its topic. */
export function messageUrl(channel: LinkableChannel, topic: string, messageId: number): string {
  return `${topicPath(channel, topic)}/near/${messageId}`
}

/** Only channel names replace spaces by hyphens. */
const topicPath = (channel: LinkableChannel, topic: string): string =>
  `${channelUrl(channel)}/topic/${encodeHashPart(topic)}`

/**
 * Percent-encoding with `.` instead of `%`, because browsers decode `%` in fragments inconsistently. Also encodes
 * `!'()*`, which `encodeURIComponent` leaves alone and clients expect encoded.
 */
function encodeHashPart(text: string): string {
  return encodeURIComponent(cleanText(text))
    .replace(/[!'()*.]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/** The text of an encoded part. */
export function decodeHashPart(part: string): string {
  return decodeURIComponent(part.replaceAll('.', '%'))
}
