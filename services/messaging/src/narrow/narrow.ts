import type { Channel } from '../kernel/channels/channel.queries.ts'

/** How open a channel is; web-public channels are public ones too. */
export type Openness = 'public' | 'web-public'

/** Direct conversations that include another user. */
export interface Including {
  readonly userId: number
  /** Only conversations of three or more. */
  readonly isGroup: boolean
}

/** Where a narrow searches. */
export type Scope =
  /** Everything the user received, within these restrictions. */
  | {
      readonly kind: 'received'
      readonly only: 'channels' | 'conversations' | null
      readonly openness: readonly Openness[]
      readonly including: readonly Including[]
    }
  /** The whole history of all public channels. */
  | { readonly kind: 'public_channels'; readonly realmId: number; readonly openness: readonly Openness[] }
  /** One channel: its whole history, or what the user received of it. */
  | { readonly kind: 'channel'; readonly channel: Channel; readonly withHistory: boolean }
  | { readonly kind: 'conversation'; readonly recipientId: number }
  /** No message can match. */
  | { readonly kind: 'nothing' }

/**
 * What a message's text must contain: words in any of their forms, runs of letters of scripts without spaces, and
 * literal parts, ignoring case.
 */
export interface SearchText {
  readonly words: string
  readonly runs: readonly string[]
  readonly literals: readonly string[]
}

type Test =
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'open_channel'; readonly openness: Openness }
  | { readonly kind: 'conversation'; readonly recipientId: number }
  | ({ readonly kind: 'including' } & Including)
  | { readonly kind: 'topic'; readonly topic: string }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'id'; readonly messageIds: readonly number[] }
  | { readonly kind: 'starred' | 'alerted' | 'mentioned' | 'resolved' | 'followed' | 'muted' }
  | { readonly kind: 'has'; readonly what: 'link' | 'image' | 'attachment' | 'reaction' }
  /** Not muted: neither the topic nor, unless the narrow names a channel, the channel around it. */
  | { readonly kind: 'home'; readonly namesChannel: boolean }
  | ({ readonly kind: 'search' } & SearchText)

/** A condition on messages, possibly negated. */
export type Condition = Test & { readonly isNegated: boolean }

/** A narrow whose names have been looked up. */
export interface Narrow {
  readonly scope: Scope
  /** Only messages that the user has, or has not, read. */
  readonly reading: 'unread' | 'read' | null
  readonly conditions: readonly Condition[]
}

/** The narrow without history that the user never received. */
export function receivedOnly(narrow: Narrow): Narrow {
  const { scope } = narrow
  if (scope.kind === 'channel') return { ...narrow, scope: { ...scope, withHistory: false } }
  if (scope.kind !== 'public_channels') return narrow
  const { openness } = scope
  return { ...narrow, scope: { kind: 'received', only: 'channels', openness, including: [] } }
}

const OF_CONTENTS: ReadonlySet<Condition['kind']> = new Set(['search', 'has', 'sender', 'resolved', 'topic'])

/** Whether finding a page may require scanning messages for their content. A channel's topic has an index. */
export function mayScanMessages({ scope, conditions }: Narrow): boolean {
  return conditions.some(
    ({ kind, isNegated }) =>
      OF_CONTENTS.has(kind) && (kind !== 'topic' || isNegated || scope.kind !== 'channel'),
  )
}
