import { isCustomGroup } from '@tms/contracts'
import type { MentionableUser, ResolvedReferences, StartedTopic } from '../kernel/rendering/mention-lookup.ts'
import { findReferences } from './find-references.ts'
import { decodeHashPart } from './syntax/channel-urls.ts'

const USER = /<span class="user-mention( silent)?" data-user-id="(\d+)">([^<]*)<\/span>/g
const GROUP = /<span class="user-group-mention( silent)?" data-user-group-id="(\d+)">([^<]*)<\/span>/g
/** Links to channels, topics and messages; the name of the empty topic is emphasized. */
const CHANNEL =
  /<a class="(?:stream|stream-topic|message-link)"(?: data-stream-id="\d+")? href="\/#narrow\/(?:stream|channel)\/(\d+)-[^"]*">#((?:[^<]|<\/?em>)*)<\/a>/g
const TOPIC = /<a class="stream-topic" data-stream-id="(\d+)" href="[^"]*\/topic\/([^"/]*)\/with\/(\d+)">/g
const CUSTOM_EMOJI = /<img alt=":([\w+-]+):" class="emoji" src="([^"]*)"/g

/**
 * The references of a text when it was rendered, by the names of that time. Rendering again with current names would
 * drop mentions of users who were renamed, and mention users who joined later.
 */
export function referencesFromHtml(content: string, html: string): ResolvedReferences {
  return {
    users: usersOf(html),
    groups: [...html.matchAll(GROUP)]
      .map(([, silent, id, text = '']) => ({ groupId: Number(id), name: nameIn(text, silent) }))
      .filter(({ groupId }) => isCustomGroup(groupId)),
    channels: channelsOf(content, html),
    topics: topicsOf(html),
    customEmoji: [...html.matchAll(CUSTOM_EMOJI)].map(([, name = '', url = '']) => ({
      name,
      url: unescape(url),
    })),
  }
}

/** A user with any mention that isn't silent was active. */
function usersOf(html: string): MentionableUser[] {
  const users = new Map<number, MentionableUser>()
  for (const [, silent, id, text = ''] of html.matchAll(USER)) {
    const userId = Number(id)
    const isActive = silent === undefined || (users.get(userId)?.isActive ?? false)
    users.set(userId, { userId, fullName: nameIn(text, silent), isActive })
  }
  return [...users.values()]
}

const nameIn = (text: string, silent: string | undefined) =>
  unescape(silent === undefined ? text.slice(1) : text)

/** The text tells where a channel name ends and a topic begins: both may contain the separator. */
function channelsOf(content: string, html: string): { channelId: number; name: string }[] {
  const links = [...html.matchAll(CHANNEL)].map(([, id, text = '']) => ({
    id: Number(id),
    text: unescape(text.replaceAll(/<\/?em>/g, '')),
  }))
  if (links.length === 0) return []
  return findReferences(content).channelNames.flatMap((name) => {
    const link = links.find(({ text }) => text === name || text.startsWith(`${name} > `))
    return link ? [{ channelId: link.id, name }] : []
  })
}

const topicsOf = (html: string): StartedTopic[] =>
  [...html.matchAll(TOPIC)].map(([, channelId, topic = '', firstMessageId]) => ({
    channelId: Number(channelId),
    topic: decodeHashPart(topic),
    firstMessageId: Number(firstMessageId),
  }))

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
