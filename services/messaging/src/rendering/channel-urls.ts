import { cleanText } from './clean-text.ts'
import type { LinkableChannel } from './directory.ts'

/** The path of a channel in the web client. */
export function channelUrl(channel: LinkableChannel): string {
  return `/#narrow/stream/${channel.channelId}-${encodeHashPart(channel.name.replaceAll(' ', '-'))}`
}

/** The path of a topic in the web client. Only names of channels trade spaces for hyphens. */
export function topicUrl(channel: LinkableChannel, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeHashPart(topic)}`
}

/**
 * Percent-encoding with `.` in place of `%`, because browsers decode `%` in the fragment as they like.
 * `encodeURIComponent` leaves `!'()*` alone, which clients that decode these links do not expect.
 */
function encodeHashPart(text: string): string {
  return encodeURIComponent(cleanText(text))
    .replace(/[!'()*.]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}
