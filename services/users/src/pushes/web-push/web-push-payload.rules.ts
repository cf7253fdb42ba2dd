import type { PushedMessage } from '@tms/contracts'
import { createLocale, type Locale } from '../../kernel/languages/locale.ts'
import type { Notice, Push } from '../../kernel/pushes/push.ts'
import { summaryOf, titleOf, withoutContent } from '../notice-text.rules.ts'
import { MAX_TEXT_BYTES } from './encrypt.ts'

/** Members of a direct conversation whose notification would be too large with all of them. */
const MAX_NAMED_MEMBERS = 10
/** Characters of a name in a notification; longer ones are cut. */
const MAX_NAME_CHARACTERS = 100

/**
 * The JSON that a browser or distributor gets: what it shows is in `title`, `body` and `url`, the rest is for clients that
 * show it in their own way. It fits in 4 KiB: if need be without some members of a large conversation.
 */
export function writeWebPush({ notice, realm, userId, language }: Push, showsContent: boolean): string {
  const base = { realm_url: realm.url, realm_name: cut(realm.name), user_id: userId }
  const full = JSON.stringify({
    ...base,
    ...fieldsOf(notice, realm.url, showsContent, createLocale(language)),
  })
  if (Buffer.byteLength(full) <= MAX_TEXT_BYTES || notice.kind !== 'message') return full
  const message = { ...notice.message, members: notice.message.members.slice(0, MAX_NAMED_MEMBERS) }
  return JSON.stringify({ ...base, ...messageFields(message, notice.unreadCount, realm.url) })
}

function fieldsOf(
  notice: Notice,
  realmUrl: string,
  showsContent: boolean,
  locale: Locale,
): Record<string, unknown> {
  switch (notice.kind) {
    case 'message':
      return showsContent
        ? messageFields(notice.message, notice.unreadCount, realmUrl)
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

function messageFields(message: PushedMessage, unreadCount: number, realmUrl: string) {
  const { sender, channel, group } = message
  return {
    type: 'message',
    title: titleOf(message),
    body:
      channel || message.members.length > 2
        ? `${cut(sender.full_name)}: ${message.content}`
        : message.content,
    url: new URL(message.path, realmUrl).href,
    message_id: message.message_id,
    time: message.time,
    content: message.content,
    sender_id: sender.user_id,
    sender_full_name: cut(sender.full_name),
    sender_avatar_url: sender.avatar_url,
    ...(channel
      ? {
          ...{ recipient_type: 'channel', channel_id: channel.channel_id },
          ...{ channel_name: channel.name, topic: channel.topic },
        }
      : { recipient_type: 'direct', recipient_user_ids: message.members.map(({ user_id }) => user_id) }),
    ...(group && { mentioned_user_group_id: group.group_id, mentioned_user_group_name: group.name }),
    unread_count: unreadCount,
  }
}

const cut = (name: string): string => [...name].slice(0, MAX_NAME_CHARACTERS).join('')
