import {
  AppError,
  badRequest,
  type PolicySubject,
  type RealmPermission,
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
  'move_messages_within_stream_limit_seconds' | 'move_messages_between_streams_limit_seconds'
>

/** Kind of a move. */
export interface MoveKind {
  readonly changesTopic: boolean
  readonly changesChannel: boolean
  /** It only resolves or reopens the topic. */
  readonly resolves: boolean
}

/** The permissions that a move needs, each with the message of its refusal. */
export function permissionsFor({
  changesTopic,
  changesChannel,
  resolves,
}: MoveKind): { readonly name: RealmPermission; readonly refusal: string }[] {
  if (resolves)
    return [{ name: 'can_resolve_topics_group', refusal: "You don't have permission to resolve topics" }]
  const forTopic = {
    name: 'can_move_messages_between_topics_group',
    refusal: "You don't have permission to edit this message",
  } as const
  const forChannel = {
    name: 'can_move_messages_between_channels_group',
    refusal: "You don't have permission to move this message",
  } as const
  return [...(changesTopic ? [forTopic] : []), ...(changesChannel ? [forChannel] : [])]
}

/** Returns the time limit in seconds for this kind of move by the caller; null for none. */
export function moveLimitOf(
  realm: MoveSettings,
  { role }: Pick<PolicySubject, 'role'>,
  { changesTopic, changesChannel, resolves }: MoveKind,
): number | null {
  if (role <= Role.moderator || resolves) return null
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
