import { badRequest, type RealmProjection } from '@tms/contracts'
import { isInTime } from '../moves/move-permission.rules.ts'

type ContentSettings = Pick<RealmProjection, 'allow_message_editing' | 'message_content_edit_limit_seconds'>

/** Throws BAD_REQUEST unless the caller is the author and the time limit has not passed. */
export function checkMayEditContent(
  realm: ContentSettings,
  callerId: number,
  message: { readonly senderId: number; readonly sentAtMs: number },
  nowMs: number,
): void {
  if (!realm.allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (message.senderId !== callerId) throw badRequest("You don't have permission to edit this message")
  if (!isInTime(realm.message_content_edit_limit_seconds, message.sentAtMs, nowMs)) {
    throw badRequest('The time limit for editing this message has passed')
  }
}
