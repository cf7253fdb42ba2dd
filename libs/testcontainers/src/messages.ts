/** A message to a channel, or to people. */
export type Outgoing =
  | { channel: string; topic: string; content: string }
  /** E-mails or user IDs. */
  | { to: readonly (string | number)[]; content: string }

/** A message as the API shows it, of which these fields are the most used. */
export interface Message {
  readonly id: number
  readonly type: 'stream' | 'private'
  readonly sender_id: number
  readonly sender_email: string
  readonly sender_full_name: string
  /** As it was written: Markdown. */
  readonly content: string
  /** The topic; empty for a direct message. */
  readonly subject: string
  /** The channel's name, or everyone who takes part. */
  readonly display_recipient: string | readonly { id: number; email: string; full_name: string }[]
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly [field: string]: unknown
}

/** One line that says what came, for an error. */
export function describeMessage({
  sender_full_name: sender,
  content,
  subject,
  display_recipient: to,
}: Message): string {
  const where = typeof to === 'string' ? `#${to} > ${subject}` : 'a direct message'
  return `${sender} in ${where}: ${content.length > 200 ? `${content.slice(0, 200)}…` : content}`
}
