import { badRequest, type PolicySubject, policyAllows, type RealmProjection, Role } from '@tms/contracts'

/** Who wants to delete, and what. Times are UNIX milliseconds. */
export interface Deletion {
  readonly standing: PolicySubject
  /** The caller sent it, or owns the bot that did. */
  readonly isOwn: boolean
  readonly sentAtMs: number
  readonly nowMs: number
}

/**
 * Administrators delete what they can see; everyone else their own, as the organization lets them and in time.
 * Throws BAD_REQUEST.
 */
export function checkMayDelete(
  realm: Pick<RealmProjection, 'delete_own_message_policy' | 'message_content_delete_limit_seconds'>,
  { standing, isOwn, sentAtMs, nowMs }: Deletion,
): void {
  if (standing.role <= Role.administrator) return
  if (!isOwn || !policyAllows(realm.delete_own_message_policy, standing)) {
    throw badRequest("You don't have permission to delete this message")
  }
  const limit = realm.message_content_delete_limit_seconds
  if (limit !== null && nowMs - sentAtMs > limit * 1000) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}
