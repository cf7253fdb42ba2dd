import type { Cause } from '@tms/service-kit'
import type { ChannelMember } from '../subscriptions/subscription.queries.ts'

/**
 * What a transaction changes that users and realm depend on. Filled while it runs, and sent to them after its commit.
 */
export interface Effects {
  readonly archivedChannelIds: Set<number>
  /** Channels whose name or visibility changed. */
  readonly changedChannelIds: Set<number>
  /** Users and channels that became visible or invisible to them, by joining or leaving. */
  readonly visibilityChanges: ChannelMember[]
  /** Number of the last change of guest visibility; null for none. */
  guestVisibilityNumber: number | null
}

/** No effects yet. */
export function newEffects(): Effects {
  return {
    archivedChannelIds: new Set(),
    changedChannelIds: new Set(),
    visibilityChanges: [],
    guestVisibilityNumber: null,
  }
}

/** Records the last change of guest visibility, if there was one. */
export function noteGuestVisibility(effects: Effects, number: number | null): void {
  effects.guestVisibilityNumber = number ?? effects.guestVisibilityNumber
}

/** Sends the effects of a request to users and realm, and resolves once they apply them. Never rejects. */
export type PropagateEffects = (effects: Effects, cause: Cause) => Promise<void>
