import type { PushedMessage } from '@tms/contracts'
import type { Locale } from '../kernel/languages/locale.ts'
import type { Notice } from '../kernel/pushes/push.ts'

/** Names in the title of a group conversation; more are cut off by every device. */
const MAX_NAMES = 5
/** Characters of each of them: Apple's service takes no notification of more than 4 KiB. */
const MAX_NAME_CHARACTERS = 30

/** What stands above a message: the channel and topic, the names of a group, or the sender. */
export function titleOf({ channel, members, sender }: PushedMessage): string {
  if (channel) return `#${channel.name} > ${channel.topic}`
  if (members.length <= 2) return sender.full_name
  const names = members
    .slice(0, MAX_NAMES)
    .map(({ full_name }) => [...full_name].slice(0, MAX_NAME_CHARACTERS).join(''))
  return `${names.join(', ')}${members.length > MAX_NAMES ? ', …' : ''}`
}

/** What is shown of a message if the installation lets devices show no content. */
export function withoutContent(
  { message }: Extract<Notice, { kind: 'message' }>,
  { text }: Locale,
): {
  readonly message_id: number
  readonly time: number
  readonly title: string
  readonly body: string
} {
  return { message_id: message.message_id, time: message.time, title: text('push.message'), body: '' }
}

/** What stands for several messages: how many there are, if that is known. */
export function summaryOf(
  { waiting }: Extract<Notice, { kind: 'summary' }>,
  { text }: Locale,
): { readonly title: string; readonly body: string } {
  if (waiting === undefined) return { title: text('push.many'), body: '' }
  return {
    title: text('push.waiting', { count: waiting.messages }),
    body: text('push.waiting.conversations', { count: waiting.conversations }),
  }
}

/** Who wrote it and why the user is notified, as the line below the title; empty between two people. */
export function subtitleOf(
  { channel, members, sender, trigger, group }: PushedMessage,
  { text }: Locale,
): string {
  const name = sender.full_name
  if (trigger === 'mentioned')
    return group === null
      ? text('push.mentioned', { name })
      : text('push.mentioned.group', { name, group: group.name })
  if (trigger.includes('wildcard')) return text('push.mentioned.everyone', { name })
  return channel || members.length > 2 ? `${name}:` : ''
}
