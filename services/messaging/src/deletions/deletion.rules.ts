import { badRequest, type RealmProjection } from '@tms/contracts'

/** A request to delete a message. Times are UNIX milliseconds. */
export interface DeletionRequest {
  /** Whether the user has `can_delete_any_message_group`. */
  readonly mayDeleteAny: boolean
  /** Whether the user has `can_delete_own_message_group`. */
  readonly mayDeleteOwn: boolean
  /** The caller sent it, or owns the bot that did. */
  readonly isOwn: boolean
  readonly sentAtMs: number
  readonly nowMs: number
}

/**
 * Throws BAD_REQUEST unless the user may delete a message that they see: any with the permission for any, else their own,
 * if the time limit has not passed.
 */
export function checkMayDelete(
  realm: Pick<RealmProjection, 'message_content_delete_limit_seconds'>,
  { mayDeleteAny, mayDeleteOwn, isOwn, sentAtMs, nowMs }: DeletionRequest,
): void {
  if (mayDeleteAny) return
  if (!isOwn || !mayDeleteOwn) {
    throw badRequest("You don't have permission to delete this message")
  }
  const limit = realm.message_content_delete_limit_seconds
  if (limit !== null && nowMs - sentAtMs > limit * 1000) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}
