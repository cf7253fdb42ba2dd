import type { PushedMessage } from '@tms/contracts'
import type { Notice } from '../kernel/pushes/push.ts'

/** Names in the title of a group conversation; more are cut off by every device. */
const MAX_NAMES = 5

/** What stands above a message: the channel and topic, the names of a group, or the sender. */
export function titleOf({ channel, members, sender }: PushedMessage): string {
  if (channel) return `#${channel.name} > ${channel.topic}`
  if (members.length <= 2) return sender.full_name
  const names = members.slice(0, MAX_NAMES).map(({ full_name }) => full_name)
  return `${names.join(', ')}${members.length > MAX_NAMES ? ', …' : ''}`
}

/** What is shown of a message if the installation lets devices show no content. */
export function withoutContent({ message }: Extract<Notice, { kind: 'message' }>): {
  readonly message_id: number
  readonly time: number
  readonly title: string
  readonly body: string
} {
  return { message_id: message.message_id, time: message.time, title: 'New message', body: '' }
}

/** Stands for all messages beyond what an hour may bring. */
export const MANY_MESSAGES = 'Many new messages'
export const TEST_TITLE = 'Test notification'
export const TEST_TEXT = 'Notifications reach this device.'

/** Who wrote it and why the user is notified, as the line below the title; empty between two people. */
export function subtitleOf({ channel, members, sender, trigger, group }: PushedMessage): string {
  if (trigger === 'mentioned')
    return `${sender.full_name} mentioned ${group === null ? 'you' : `@${group.name}`}:`
  if (trigger.includes('wildcard')) return `${sender.full_name} mentioned everyone:`
  return channel || members.length > 2 ? `${sender.full_name}:` : ''
}
