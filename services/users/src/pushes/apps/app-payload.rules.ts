import type { PushedMessage } from '@tms/contracts'
import { createLocale, type Locale } from '../../kernel/languages/locale.ts'
import type { Notice, Push, PushRealm } from '../../kernel/pushes/push.ts'
import { subtitleOf, summaryOf, titleOf } from '../notice-text.rules.ts'

type Fields = Readonly<Record<string, string | number>>

/** The `data` of a message to an Android app: every value is a string. */
export function writeFcmData(push: Push, showsContent: boolean): Record<string, string> {
  const fields = { ...commonFields(push), ...fcmFieldsOf(push, showsContent) }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function fcmFieldsOf({ notice, realm, language }: Push, showsContent: boolean): Fields {
  const locale = createLocale(language)
  const { text } = locale
  switch (notice.kind) {
    case 'message':
    case 'summary': {
      const { message } = notice
      const content = notice.kind === 'summary' ? contentOf(summaryOf(notice, locale)) : message.content
      const { full_name, avatar_url } = message.sender
      return {
        ...{ event: 'message', time: message.time, zulip_message_id: message.message_id },
        ...conversationFields(message, showsContent),
        content: showsContent ? content : text('push.message'),
        sender_full_name: showsContent ? full_name : realm.name,
        sender_avatar_url: showsContent ? avatar_url : realm.url,
      }
    }
    case 'remove':
      return {
        ...{ event: 'remove', zulip_message_ids: notice.messageIds.join(',') },
        zulip_message_id: notice.messageIds[0] ?? 0,
      }
    case 'test':
      return { event: 'test', time: notice.time }
  }
}

/** The payload of a notification to an Apple app. */
export function writeApnsPayload(push: Push, showsContent: boolean): Record<string, unknown> {
  const { notice } = push
  const locale = createLocale(push.language)
  const common = commonFields(push)
  switch (notice.kind) {
    case 'message':
    case 'summary': {
      const { message } = notice
      const { message_id } = message
      return {
        aps: {
          alert: alertOf(notice, showsContent, locale),
          sound: 'default',
          ...badgeOf(notice),
        },
        zulip: { ...common, ...conversationFields(message, showsContent), message_ids: [message_id] },
      }
    }
    case 'remove':
      return {
        aps: { badge: notice.unreadCount, 'content-available': 1 },
        zulip: { ...common, event: 'remove', zulip_message_ids: notice.messageIds.join(',') },
      }
    case 'test':
      return {
        aps: {
          alert: { title: locale.text('push.test.title'), body: locale.text('push.test') },
          sound: 'default',
        },
        zulip: { ...common, event: 'test', time: notice.time },
      }
  }
}

const contentOf = ({ title, body }: ReturnType<typeof summaryOf>): string =>
  body === '' ? title : `${title} ${body}`

/** A summary of what the hour brings doesn't know how many there are. */
function badgeOf(notice: Extract<Notice, { kind: 'message' | 'summary' }>): { readonly badge?: number } {
  if (notice.kind === 'message') return { badge: notice.unreadCount }
  return notice.waiting ? { badge: notice.waiting.unreadCount } : {}
}

function alertOf(
  notice: Extract<Notice, { kind: 'message' | 'summary' }>,
  showsContent: boolean,
  locale: Locale,
): Readonly<Record<string, string>> {
  if (notice.kind === 'summary') return summaryOf(notice, locale)
  if (!showsContent) return { title: locale.text('push.message'), body: '' }
  const { message } = notice
  return { title: titleOf(message), subtitle: subtitleOf(message, locale), body: message.content }
}

/** The organization and the user that a notification is for. */
interface PushReceiver {
  readonly realm: Pick<PushRealm, 'url' | 'name'>
  readonly userId: number
}

const commonFields = ({ realm, userId }: PushReceiver): Fields => ({
  ...{ realm_url: realm.url, realm_uri: realm.url, realm_name: realm.name },
  user_id: userId,
})

/** Where a tap leads: without names if the installation lets devices show no content. */
function conversationFields(message: PushedMessage, showsContent: boolean): Fields {
  const { sender, channel, members, group } = message
  return {
    sender_id: sender.user_id,
    ...(showsContent && { sender_email: sender.email }),
    ...(channel
      ? {
          ...{ recipient_type: 'stream', stream_id: channel.channel_id },
          ...(showsContent ? { stream: channel.name, topic: channel.topic } : { topic: '' }),
        }
      : {
          recipient_type: 'private',
          ...(members.length > 2 && { pm_users: members.map(({ user_id }) => user_id).join(',') }),
        }),
    ...(group &&
      showsContent && { mentioned_user_group_id: group.group_id, mentioned_user_group_name: group.name }),
  }
}

/** The same payload as the push relay service takes it: what it puts into `aps` beside the app's own fields. */
export function writeRelayedApnsPayload(push: Push, showsContent: boolean): Record<string, unknown> {
  const { aps, ...custom } = writeApnsPayload(push, showsContent)
  return { ...(aps as Record<string, unknown>), custom }
}

/** What a test contains that the push relay service completes. */
export const writeTestFields = (receiver: PushReceiver): Fields => commonFields(receiver)
