import type { Message } from '@tms/client'

/** A message to a channel, or to people. */
export type Outgoing =
  | { channel: string; topic: string; content: string }
  /** E-mails, or user IDs. */
  | { to: readonly string[] | readonly number[]; content: string }

/** Describes a received message in one line, for an error. */
export function describeMessage({
  sender_full_name: sender,
  content,
  subject,
  display_recipient: to,
}: Message): string {
  const where = typeof to === 'string' ? `#${to} > ${subject}` : 'a direct message'
  return `${sender} in ${where}: ${content.length > 200 ? `${content.slice(0, 200)}…` : content}`
}
