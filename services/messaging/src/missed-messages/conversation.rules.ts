import { type NotificationTrigger, notificationTrigger } from '@tms/contracts'
import type { BatchedMessage } from './batch.queries.ts'

/** Messages of one mail; older ones are left out. */
export const MAX_SHOWN = 20
/** Bytes of a mail's messages; older ones are left out beyond that. */
const MAX_MAIL_BYTES = 100_000
/** Bytes of one message as HTML, beyond which a mail only says that it is long. */
const MAX_HTML_BYTES = 200_000
/** Conversations of a batch and their bytes: a call between services takes a MiB. */
const MAX_CONVERSATIONS = 20
const MAX_BATCH_BYTES = 500_000

/** What stands for a message that is too long. */
export const TOO_LONG = '<p><em>(This message is too long for a mail.)</em></p>'

/** A missed message without its text. */
export interface Missed {
  readonly batched: Pick<BatchedMessage, 'trigger' | 'groupId' | 'groupName' | 'groupSize'>
  readonly view: { readonly id: number; readonly recipientId: number; readonly topic: string }
}

/** A conversation of which a mail is to be made. */
export interface Chosen<T> {
  /** From the oldest to the newest. */
  readonly missed: readonly T[]
  /** The newest of them, whose texts are to be read. */
  readonly newest: readonly T[]
}

/**
 * Chooses of which conversations mails are made, and which messages they may show, so that no other texts are read. The
 * first are those with the strongest reason, of these the newest. `missed` is ordered by ID.
 */
export function chooseConversations<T extends Missed>(
  missed: readonly T[],
): { readonly chosen: readonly Chosen<T>[]; readonly furtherCount: number } {
  const order = notificationTrigger.options
  const conversations = [...Map.groupBy(missed, keyOf).values()]
    .map((each) => ({
      missed: each,
      newest: each.slice(-MAX_SHOWN),
      strength: order.indexOf(reasonOf(each.map(({ batched }) => batched)).trigger),
      newestId: each.at(-1)?.view.id ?? 0,
    }))
    .toSorted((a, b) => a.strength - b.strength || b.newestId - a.newestId)
  const chosen = conversations.slice(0, MAX_CONVERSATIONS)
  return { chosen, furtherCount: conversations.length - chosen.length }
}

/** Topics are the same regardless of case. */
const keyOf = ({ view }: Missed): string => `${view.recipientId} ${view.topic.toLowerCase()}`

/** Messages that fit in a mail, the newest ones. At least one. */
export function fitIntoMail<T>(messages: readonly T[]): readonly T[] {
  let bytes = 0
  let count = 0
  for (const message of messages.toReversed()) {
    bytes += bytesOf(message)
    if (count > 0 && bytes > MAX_MAIL_BYTES) break
    count++
  }
  return messages.slice(messages.length - count)
}

/** Whether one call takes a further conversation besides these. It takes any as the first. */
export function hasSpaceFor<T>(conversations: readonly T[], further: T): boolean {
  return conversations.length === 0 || bytesOf(conversations) + bytesOf(further) <= MAX_BATCH_BYTES
}

/** The HTML, or a remark if it is too long. */
export const boundHtml = (html: string): string => (bytesOf(html) > MAX_HTML_BYTES ? TOO_LONG : html)

/** Whether a message is mailed because it mentions the user: by name, by a group, or as one of many. */
export const isMention = (trigger: NotificationTrigger): boolean =>
  trigger === 'mentioned' || trigger.includes('wildcard_mentioned')

/** As it is sent: JSON writes quotes and line ends as two bytes. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * The reason for a mail with several messages: the strongest of them. A mention by name anywhere is stronger than one
 * by a group, and a small group than a large one.
 */
export function reasonOf(
  messages: readonly Pick<BatchedMessage, 'trigger' | 'groupId' | 'groupName' | 'groupSize'>[],
): { readonly trigger: NotificationTrigger; readonly groupName: string | null } {
  const order = notificationTrigger.options
  const trigger = order.find((each) => messages.some((message) => message.trigger === each))
  if (trigger === undefined) throw new Error('there are no messages')
  const ofTrigger = messages.filter((message) => message.trigger === trigger)
  const isPersonal = ofTrigger.some(({ groupId }) => groupId === null)
  const [smallest] = ofTrigger.toSorted((a, b) => a.groupSize - b.groupSize)
  return { trigger, groupName: isPersonal ? null : (smallest?.groupName ?? null) }
}
