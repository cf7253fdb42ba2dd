import { badRequest, type PolicySubject, policyAllows, type RealmProjection, Role } from '@tms/contracts'

/** A request to delete a message. Times are UNIX milliseconds. */
export interface DeletionRequest {
  readonly policySubject: PolicySubject
  /** The caller sent it, or owns the bot that did. */
  readonly isOwn: boolean
  readonly sentAtMs: number
  readonly nowMs: number
}

/**
 * Throws BAD_REQUEST unless the user may delete a message: administrators any visible one, everyone else their
 * own, if the organization allows it and the time limit has not passed.
 */
export function checkMayDelete(
  realm: Pick<RealmProjection, 'delete_own_message_policy' | 'message_content_delete_limit_seconds'>,
  { policySubject, isOwn, sentAtMs, nowMs }: DeletionRequest,
): void {
  if (policySubject.role <= Role.administrator) return
  if (!isOwn || !policyAllows(realm.delete_own_message_policy, policySubject)) {
    throw badRequest("You don't have permission to delete this message")
  }
  const limit = realm.message_content_delete_limit_seconds
  if (limit !== null && nowMs - sentAtMs > limit * 1000) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}
