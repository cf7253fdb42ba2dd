import type { LimitConcurrency } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { UserListCache } from '../user-list-cache/user-list-cache.ts'
import type { WriteSystemGroups } from './system-group-texts.ts'
import type { DeduplicateText } from './text-deduplicator.ts'

/** What reading a register state needs besides what all handlers may use. */
export interface RegisterStateContext extends Context {
  readonly userListCache: UserListCache
  readonly writeSystemGroups: WriteSystemGroups
  readonly deduplicateText: DeduplicateText
  /** Limits concurrent reads of large register states, so that other requests proceed. */
  readonly limitStateReads: LimitConcurrency
}
