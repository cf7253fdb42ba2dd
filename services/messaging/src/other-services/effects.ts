import type { Pair } from '../subscriptions/subscription.queries.ts'

/** What a transaction changes that users and realm answer by; filled while it runs, and brought to them after its commit. */
export interface Effects {
  readonly archivedChannelIds: Set<number>
  /** Channels with another name, or seen by others than before, whoever is in them. */
  readonly changedChannelIds: Set<number>
  /** Users who came to see channels, or no longer do, by joining or leaving them. */
  readonly visibilityChanges: Pair[]
  /** The last change of whom guests see; null for none. */
  guestVisibilityNumber: number | null
}

/** None as yet. */
export function newEffects(): Effects {
  return {
    archivedChannelIds: new Set(),
    changedChannelIds: new Set(),
    visibilityChanges: [],
    guestVisibilityNumber: null,
  }
}

/** Notes the last change of whom guests see, if there was one. */
export function noteGuestVisibility(effects: Effects, number: number | null): void {
  effects.guestVisibilityNumber = number ?? effects.guestVisibilityNumber
}
