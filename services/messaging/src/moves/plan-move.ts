import {
  badRequest,
  type EndpointInput,
  type endpoints,
  type PolicySubject,
  type PropagateMode,
  type RealmProjection,
} from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canReadHistory, readingMembership } from '../kernel/access/channel.rules.ts'
import { type Channel, findChannelById } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { hasRealmPermission } from '../kernel/groups/permissions.ts'
import { getAccessibleChannel } from '../kernel/messages/accessible-channel.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { checkMayPost } from '../messages/check-may-post.ts'
import { type Notice, prepareNotice } from '../messages/notices.ts'
import { listMovable, type Selection } from './movable.queries.ts'
import {
  findResolution,
  writeNewTopicNotice,
  writeOldTopicNotice,
  writeResolutionNotice,
} from './move-notices.rules.ts'
import { checkMoveInTime, moveLimitOf, permissionsFor } from './move-permission.rules.ts'

/** What a request wants to move; null for what stays. */
export interface RequestedMove {
  readonly topic: string | null
  readonly channelId: number | null
  readonly mode: PropagateMode
}

/** A permitted move, with everything that must be looked up before its transaction. */
export interface MovePlan {
  readonly source: Channel
  /** The same as `source` when only the topic changes. */
  readonly target: Channel
  /** Null when it stays. */
  readonly topic: string | null
  readonly selection: Selection
  /** The user whose received messages limit what moves; null if everything selected moves. */
  readonly receivedBy: { readonly userId: number; readonly channelId: number } | null
  /** Number of messages that move, at the time of planning. */
  readonly count: number
  /** All messages of the topic that the caller sees move. */
  readonly isWhole: boolean
  /** The topic is only marked as resolved, or no longer. */
  readonly isResolution: boolean
  readonly notices: readonly PlannedNotice[]
}

export interface PlannedNotice {
  readonly notice: Notice
  readonly channel: Channel
  readonly topic: string
  /** Only participants of the topic have it unread. */
  readonly isForParticipants: boolean
}

interface Mover {
  readonly caller: Caller
  readonly user: KnownUser
  readonly realm: RealmProjection
  readonly policySubject: PolicySubject
}

type Flags = Pick<
  EndpointInput<typeof endpoints.messaging.editMessage>,
  'send_notification_to_old_thread' | 'send_notification_to_new_thread'
>

/**
 * Checks a move and plans it. Throws BAD_REQUEST, or MOVE_MESSAGES_TIME_LIMIT_EXCEEDED if only some messages of a
 * topic may move.
 */
export async function planMove(
  context: Context,
  mover: Mover,
  view: MessageView,
  requested: RequestedMove,
  flags: Flags,
): Promise<MovePlan> {
  const { caller, realm, policySubject } = mover
  const source = view.channel && (await findChannelById(context.db, caller.realmId, view.channel.id))
  if (!source) throw badRequest('Invalid message(s)')
  const [changesTopic, changesChannel] = [requested.topic !== null, requested.channelId !== null]
  const resolves = !changesChannel && findResolution(view.topic, requested.topic ?? view.topic) !== null
  const kind = { changesTopic, changesChannel, resolves }
  for (const { name, refusal } of permissionsFor(kind)) {
    const candidate = { userId: caller.userId, policySubject }
    if (!(await hasRealmPermission(context.db, realm, name, candidate))) throw badRequest(refusal)
  }
  const target = requested.channelId === null ? source : await getTarget(context, mover, requested.channelId)

  const membership = view.channel && readingMembership(view.channel)
  const isPartlyHidden = kind.changesChannel && !canReadHistory(caller, source, membership)
  const receivedBy = isPartlyHidden ? { userId: caller.userId, channelId: source.id } : null
  const selection = {
    recipientId: source.recipientId,
    topic: view.topic,
    messageId: view.id,
    mode: requested.mode,
  }
  const movable = await listMovable(context.db, selection, receivedBy)
  checkMoveInTime(moveLimitOf(realm, policySubject, kind), {
    sentAtMs: view.timestamp * 1000,
    topic: requested.mode === 'change_all' ? movable : null,
    nowMs: context.now().getTime(),
  })

  const all =
    requested.mode === 'change_all'
      ? movable
      : await listMovable(context.db, { ...selection, mode: 'change_all' }, receivedBy)
  const plan = { source, target, topic: requested.topic, selection, receivedBy, count: movable.length }
  const isWhole = all.length === movable.length
  const resolution = source === target ? findResolution(view.topic, requested.topic ?? view.topic) : null
  const notices = await prepareNotices(context, mover, { ...plan, isWhole, resolution }, flags)
  return { ...plan, isWhole, isResolution: resolution !== null, notices }
}

type Prepared = Omit<MovePlan, 'notices' | 'isResolution'> & {
  readonly resolution: ReturnType<typeof findResolution>
}

async function getTarget(
  context: Context,
  { caller, user, realm }: Mover,
  channelId: number,
): Promise<Channel> {
  const target = await getAccessibleChannel(context.db, caller, channelId)
  await checkMayPost(context, { user, realm, target }, { id: channelId })
  return target.channel
}

async function prepareNotices(
  context: Context,
  { user, realm }: Mover,
  { source, target, topic, selection, count, isWhole, resolution }: Prepared,
  flags: Flags,
): Promise<PlannedNotice[]> {
  const newTopic = topic ?? selection.topic
  const prepare = (text: string) => prepareNotice(context, realm.realm_id, text)
  if (resolution) {
    return [
      {
        notice: await prepare(writeResolutionNotice(user, resolution)),
        channel: target,
        topic: newTopic,
        isForParticipants: true,
      },
    ]
  }
  const summary = {
    mover: user,
    from: { channelName: source.name, topic: selection.topic },
    to: { channelName: target.name, topic: newTopic },
    count,
    isWhole,
  }
  const notices: PlannedNotice[] = []
  if (flags.send_notification_to_new_thread ?? true) {
    notices.push({
      notice: await prepare(writeNewTopicNotice(summary)),
      channel: target,
      topic: newTopic,
      isForParticipants: false,
    })
  }
  if (flags.send_notification_to_old_thread ?? false) {
    notices.push({
      notice: await prepare(writeOldTopicNotice(summary)),
      channel: source,
      topic: selection.topic,
      isForParticipants: false,
    })
  }
  return notices
}
