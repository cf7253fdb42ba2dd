import {
  AppError,
  badRequest,
  type PolicySubject,
  policyAllows,
  type RealmProjection,
  Role,
} from '@tms/contracts'

/** Grace period for edits that were begun in time. */
const GRACE_SECONDS = 20

/** Whether a time limit, null for none, still lets a message be changed. Times are UNIX milliseconds. */
export function isInTime(limitSeconds: number | null, sentAtMs: number, nowMs: number): boolean {
  return limitSeconds === null || nowMs - sentAtMs <= (limitSeconds + GRACE_SECONDS) * 1000
}

type MoveSettings = Pick<
  RealmProjection,
  | 'edit_topic_policy'
  | 'move_messages_between_streams_policy'
  | 'move_messages_within_stream_limit_seconds'
  | 'move_messages_between_streams_limit_seconds'
>

/** Kind of a move. */
export interface MoveKind {
  readonly changesTopic: boolean
  readonly changesChannel: boolean
}

/** Throws BAD_REQUEST if the user may not make this kind of move at all. */
export function checkMayMove(
  realm: MoveSettings,
  policySubject: PolicySubject,
  { changesTopic, changesChannel }: MoveKind,
): void {
  if (changesTopic && !policyAllows(realm.edit_topic_policy, policySubject)) {
    throw badRequest("You don't have permission to edit this message")
  }
  if (changesChannel && !policyAllows(realm.move_messages_between_streams_policy, policySubject)) {
    throw badRequest("You don't have permission to move this message")
  }
}

/** Returns the time limit in seconds for this kind of move by the caller; null for none. */
export function moveLimitOf(
  realm: MoveSettings,
  { role }: Pick<PolicySubject, 'role'>,
  { changesTopic, changesChannel }: MoveKind,
): number | null {
  if (role <= Role.moderator) return null
  const limits = [
    ...(changesTopic ? [realm.move_messages_within_stream_limit_seconds] : []),
    ...(changesChannel ? [realm.move_messages_between_streams_limit_seconds] : []),
  ].filter((limit) => limit !== null)
  return limits.length === 0 ? null : Math.min(...limits)
}

/** Times that decide whether a move is in time, in UNIX milliseconds. */
interface Timing {
  /** Of the message in the request. */
  readonly sentAtMs: number
  /** All messages of the topic, oldest first, if the whole topic moves; otherwise null. */
  readonly topic: readonly { readonly id: number; readonly sentAtMs: number }[] | null
  readonly nowMs: number
}

/**
 * Throws BAD_REQUEST if the message is too old to be moved, and MOVE_MESSAGES_TIME_LIMIT_EXCEEDED if only others
 * in the topic are.
 */
export function checkMoveInTime(limitSeconds: number | null, { sentAtMs, topic, nowMs }: Timing): void {
  if (!isInTime(limitSeconds, sentAtMs, nowMs)) {
    throw badRequest('The time limit for moving this message has passed')
  }
  const allowed = topic?.filter((message) => isInTime(limitSeconds, message.sentAtMs, nowMs))
  if (!topic || !allowed || allowed.length === topic.length) return
  throw new AppError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
    details: {
      first_message_id_allowed_to_move: allowed[0]?.id,
      total_messages_in_topic: topic.length,
      total_messages_allowed_to_move: allowed.length,
    },
  })
}
