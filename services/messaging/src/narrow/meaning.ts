import type { Context } from '../kernel/context.ts'
import type { ChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import type { Condition, Including, Openness } from './narrow.ts'

export type ResolveContext = Pick<Context, 'db' | 'projections'>

/** What a term means after look-ups; `target` is set if it can be the scope. */
export interface Meaning {
  readonly condition?: Condition
  readonly target?: ChannelTarget | { readonly conversationId: number | null }
  readonly only?: 'channels' | 'conversations'
  readonly openness?: Openness
  readonly including?: Including
  readonly reading?: 'unread' | 'read'
}
