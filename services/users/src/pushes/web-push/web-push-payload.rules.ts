import type { PushedMessage } from '@tms/contracts'
import { createLocale, type Locale } from '../../kernel/languages/locale.ts'
import type { Notice, Push } from '../../kernel/pushes/push.ts'
import { summaryOf, titleOf, withoutContent } from '../notice-text.rules.ts'
import { MAX_TEXT_BYTES } from './encrypt.ts'

/** Characters of a name in a notification; longer ones are cut. */
const MAX_NAME_CHARACTERS = 100
/**
 * What becomes of notifications that are too large: fewer members of the conversation, also in the address, which then leads
 * to the message alone; then shorter names, and less of the text.
 */
const SIZES = [
  { members: Number.POSITIVE_INFINITY, names: MAX_NAME_CHARACTERS, characters: Number.POSITIVE_INFINITY },
  { members: 10, names: 30, characters: Number.POSITIVE_INFINITY },
  { members: 10, names: 30, characters: 100 },
  { members: 10, names: 20, characters: 20 },
] as const
type Size = (typeof SIZES)[number]

/**
 * The JSON that a browser or distributor gets: what it shows is in `title`, `body` and `url`, the rest is for clients that
 * show it in their own way. It fits in 4 KiB, which push services refuse to exceed.
 */
export function writeWebPush({ notice, realm, userId, language }: Push, showsContent: boolean): string {
  const base = { realm_url: realm.url, realm_name: cut(realm.name, MAX_NAME_CHARACTERS), user_id: userId }
  const locale = createLocale(language)
  let text = ''
  for (const size of SIZES) {
    text = JSON.stringify({ ...base, ...fieldsOf(notice, realm.url, showsContent, locale, size) })
    if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) break
  }
  return text
}

function fieldsOf(
  notice: Notice,
  realmUrl: string,
  showsContent: boolean,
  locale: Locale,
  size: Size,
): Record<string, unknown> {
  switch (notice.kind) {
    case 'message':
      return showsContent
        ? messageFields(notice.message, notice.unreadCount, realmUrl, size)
        : {
            ...withoutContent(notice, locale),
            type: 'message',
            url: realmUrl,
            unread_count: notice.unreadCount,
          }
    case 'summary':
      return {
        ...{ type: 'summary', time: notice.message.time, ...summaryOf(notice, locale), url: realmUrl },
        ...(notice.waiting && { unread_count: notice.waiting.unreadCount }),
      }
    case 'remove':
      return { type: 'remove', message_ids: notice.messageIds, unread_count: notice.unreadCount }
    case 'test':
      return {
        ...{ type: 'test', time: notice.time, title: locale.text('push.test.title'), url: realmUrl },
        body: locale.text('push.test'),
      }
  }
}

function messageFields(message: PushedMessage, unreadCount: number, realmUrl: string, size: Size) {
  const { sender, channel, group } = message
  const members = message.members.slice(0, size.members)
  const isWhole = size.members === Number.POSITIVE_INFINITY
  const named = members.map(({ full_name, ...member }) => ({
    ...member,
    full_name: cut(full_name, size.names),
  }))
  const sender_full_name = cut(sender.full_name, size.names)
  const content = cut(message.content, size.characters)
  return {
    type: 'message',
    title: titleOf({ ...message, members: named, sender: { ...sender, full_name: sender_full_name } }),
    body: channel || message.members.length > 2 ? `${sender_full_name}: ${content}` : content,
    // The address of a direct conversation has the IDs of all its members.
    url: new URL(isWhole || channel ? message.path : `/#narrow/near/${message.message_id}`, realmUrl).href,
    message_id: message.message_id,
    time: message.time,
    content,
    sender_id: sender.user_id,
    sender_full_name,
    sender_avatar_url: sender.avatar_url,
    ...(channel
      ? {
          ...{ recipient_type: 'channel', channel_id: channel.channel_id },
          ...{ channel_name: channel.name, topic: channel.topic },
        }
      : { recipient_type: 'direct', recipient_user_ids: members.map(({ user_id }) => user_id) }),
    ...(group && {
      mentioned_user_group_id: group.group_id,
      mentioned_user_group_name: cut(group.name, size.names),
    }),
    unread_count: unreadCount,
  }
}

const cut = (text: string, characters: number): string => [...text].slice(0, characters).join('')
