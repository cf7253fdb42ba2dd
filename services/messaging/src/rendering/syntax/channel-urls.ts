import type { LinkableChannel } from '../../kernel/rendering/mention-lookup.ts'
import { cleanText } from './clean-text.ts'

/** The path of a channel in the web client. */
export function channelUrl(channel: LinkableChannel): string {
  return `/#narrow/stream/${channel.channelId}-${encodeHashPart(channel.name.replaceAll(' ', '-'))}`
}

/** The path of a topic in the web client. Only channel names replace spaces by hyphens. */
export function topicUrl(channel: LinkableChannel, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeHashPart(topic)}`
}

/**
 * Percent-encoding with `.` instead of `%`, because browsers decode `%` in fragments inconsistently. Also encodes
 * `!'()*`, which `encodeURIComponent` leaves alone and clients expect encoded.
 */
function encodeHashPart(text: string): string {
  return encodeURIComponent(cleanText(text))
    .replace(/[!'()*.]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}
