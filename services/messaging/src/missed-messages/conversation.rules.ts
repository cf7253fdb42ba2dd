import { type NotificationTrigger, notificationTrigger } from '@tms/contracts'
import type { BatchedMessage } from './batch.queries.ts'

/** Messages of one mail; older ones are left out. */
const MAX_MESSAGES = 20
/** Bytes of a mail's messages; older ones are left out beyond that. */
const MAX_MAIL_BYTES = 100_000
/** Bytes of one message as HTML, beyond which a mail only says that it is long. */
const MAX_HTML_BYTES = 200_000
/** Conversations of a batch and their bytes: a call between services takes a MiB, escapes included. */
const MAX_CONVERSATIONS = 20
const MAX_BATCH_BYTES = 500_000

/** What stands for a message that is too long. */
export const TOO_LONG = '<p><em>(This message is too long for a mail.)</em></p>'

/** Messages that fit in a mail, the newest ones, and how many are left out. At least one. */
export function fitIntoMail<T extends { readonly html: string; readonly text: string }>(
  messages: readonly T[],
): { readonly shown: readonly T[]; readonly omittedCount: number } {
  const newestFirst = messages.toReversed()
  let length = 0
  let count = 0
  for (const { html, text } of newestFirst.slice(0, MAX_MESSAGES)) {
    length += bytesOf({ html, text })
    if (count > 0 && length > MAX_MAIL_BYTES) break
    count++
  }
  return { shown: messages.slice(messages.length - count), omittedCount: messages.length - count }
}

/** The first conversations, as many as one call takes, and how many are left out. */
export function fitIntoBatch<
  T extends { readonly messages: readonly { readonly html: string; readonly text: string }[] },
>(conversations: readonly T[]): { readonly shown: readonly T[]; readonly furtherCount: number } {
  let bytes = 0
  let count = 0
  for (const { messages } of conversations.slice(0, MAX_CONVERSATIONS)) {
    for (const message of messages) bytes += bytesOf(message)
    if (count > 0 && bytes > MAX_BATCH_BYTES) break
    count++
  }
  return { shown: conversations.slice(0, count), furtherCount: conversations.length - count }
}

/** The HTML, or a remark if it is too long. */
export const boundHtml = (html: string): string =>
  Buffer.byteLength(html) > MAX_HTML_BYTES ? TOO_LONG : html

const bytesOf = ({ html, text }: { readonly html: string; readonly text: string }): number =>
  Buffer.byteLength(html) + Buffer.byteLength(text)

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
