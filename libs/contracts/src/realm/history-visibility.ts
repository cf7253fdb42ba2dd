import type { RealmProjection } from './records.ts'
import type { HistoryVisibility } from './settings.ts'

/** The value of `allow_edit_history` for clients that don't know the policy. */
export const showsEdits = (policy: HistoryVisibility): boolean => policy !== 'none'

/** The policy that corresponds to `allow_edit_history`. */
export const historyVisibilityFor = (allowsEditHistory: boolean): HistoryVisibility =>
  allowsEditHistory ? 'all' : 'none'

/** The policy of an organization; if the projection lacks it, the one that corresponds to the older setting. */
export function historyVisibilityOf(
  realm: Pick<RealmProjection, 'allow_edit_history' | 'message_edit_history_visibility_policy'>,
): HistoryVisibility {
  return realm.message_edit_history_visibility_policy ?? historyVisibilityFor(realm.allow_edit_history)
}
