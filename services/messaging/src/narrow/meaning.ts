import type { Context } from '../context.ts'
import type { ChannelPlace } from '../messages/posting-place.queries.ts'
import type { Condition, Including, Openness } from './narrow.ts'

/** What looking up names takes. */
export type Resolving = Pick<Context, 'db' | 'directory'>

/** What a term turned out to mean; `place` is set where it can be the scope. */
export interface Meaning {
  readonly condition?: Condition
  readonly place?: ChannelPlace | { readonly conversationId: number | null }
  readonly only?: 'channels' | 'conversations'
  readonly openness?: Openness
  readonly including?: Including
  readonly reading?: 'unread' | 'read'
}
