import type { Channel } from '../channels/channel.queries.ts'

/** Where a narrow looks. */
export type Scope =
  /** Everything the user received; `only` leaves out the other kind. */
  | { readonly kind: 'received'; readonly only: 'channels' | 'conversations' | null }
  /** One channel: its whole history, or what the user received of it. */
  | { readonly kind: 'channel'; readonly channel: Channel; readonly withHistory: boolean }
  | { readonly kind: 'conversation'; readonly recipientId: number }
  /** No message can match. */
  | { readonly kind: 'nothing' }

type Test =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'conversation'; readonly recipientId: number }
  | { readonly kind: 'topic'; readonly topic: string }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'id'; readonly messageId: number }
  | { readonly kind: 'starred' | 'alerted' | 'mentioned' | 'resolved' }

/** What a message must, or when negated must not, be. */
export type Condition = Test & { readonly isNegated: boolean }

/** A narrow whose names have been looked up. */
export interface Narrow {
  readonly scope: Scope
  /** Only messages that the user has, or has not, read. */
  readonly reading: 'unread' | 'read' | null
  readonly conditions: readonly Condition[]
}
