import {
  badRequest,
  type EndpointInput,
  type endpoints,
  type PolicySubject,
  type RealmProjection,
} from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { type Channel, findChannelById } from '../channels/channel.queries.ts'
import { canAccessChannel, canReadHistory } from '../channels/channel.rules.ts'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { checkMayMove, checkMoveInTime, moveLimitOf } from '../edits/edit-permission.rules.ts'
import type { RequestedEdit } from '../edits/edit-request.rules.ts'
import { checkMayPost } from '../messages/check-may-post.ts'
import type { MessageView } from '../messages/message-view.queries.ts'
import { type Notice, prepareNotice } from '../messages/notices.ts'
import { findChannelPlace } from '../messages/posting-place.queries.ts'
import { newThreadText, oldThreadText, resolution, resolutionText } from './move-notices.rules.ts'
import { listMovable, type Selection } from './relocate.queries.ts'

/** A move that is allowed, with all that must be looked up before its transaction. */
export interface MovePlan {
  readonly source: Channel
  /** The same as `source` when only the topic changes. */
  readonly target: Channel
  /** Null when it stays. */
  readonly topic: string | null
  readonly selection: Selection
  /** Whose sight of the source decides what moves; null where everything selected does. */
  readonly receivedBy: { readonly userId: number; readonly channelId: number } | null
  /** How many messages move, by the time of planning. */
  readonly count: number
  /** Nothing that the caller sees of the topic stays behind. */
  readonly isWhole: boolean
  readonly notices: readonly PlannedNotice[]
}

export interface PlannedNotice {
  readonly notice: Notice
  readonly channel: Channel
  readonly topic: string
  /** Only who took part in the topic has it unread. */
  readonly isForParticipants: boolean
}

interface Mover {
  readonly caller: Caller
  readonly user: KnownUser
  readonly realm: RealmProjection
  readonly standing: PolicySubject
}

type Flags = Pick<
  EndpointInput<typeof endpoints.messaging.editMessage>,
  'send_notification_to_old_thread' | 'send_notification_to_new_thread'
>

/** Checks a move. Throws BAD_REQUEST, or MOVE_MESSAGES_TIME_LIMIT_EXCEEDED when only some of a topic may move. */
export async function planMove(
  context: Context,
  mover: Mover,
  view: MessageView,
  edit: RequestedEdit,
  flags: Flags,
): Promise<MovePlan> {
  const { caller, realm, standing } = mover
  const source = view.channel && (await findChannelById(context.db, caller.realmId, view.channel.id))
  if (!source) throw badRequest('Invalid message(s)')
  const kind = { changesTopic: edit.topic !== null, changesChannel: edit.channelId !== null }
  checkMayMove(realm, standing, kind)
  const target = edit.channelId === null ? source : await findTarget(context, mover, edit.channelId)

  const membership = { isActive: view.channel?.isSubscribed ?? false }
  const isPartlyHidden = kind.changesChannel && !canReadHistory(caller, source, membership)
  const receivedBy = isPartlyHidden ? { userId: caller.userId, channelId: source.id } : null
  const selection = {
    recipientId: source.recipientId,
    topic: view.topic,
    messageId: view.id,
    mode: edit.mode,
  }
  const movable = await listMovable(context.db, selection, receivedBy)
  checkMoveInTime(moveLimitOf(realm, standing, kind), {
    sentAtMs: view.timestamp * 1000,
    topic: edit.mode === 'change_all' ? movable : null,
    nowMs: context.now().getTime(),
  })

  const all =
    edit.mode === 'change_all'
      ? movable
      : await listMovable(context.db, { ...selection, mode: 'change_all' }, receivedBy)
  const plan = { source, target, topic: edit.topic, selection, receivedBy, count: movable.length }
  const isWhole = all.length === movable.length
  return { ...plan, isWhole, notices: await prepareNotices(context, mover, { ...plan, isWhole }, flags) }
}

async function findTarget(
  context: Context,
  { caller, user, realm }: Mover,
  channelId: number,
): Promise<Channel> {
  const reference = { id: channelId }
  const place = await findChannelPlace(context.db, caller, reference)
  if (!place || !canAccessChannel(caller, place.channel, { isActive: place.isSubscribed })) {
    throw badRequest('Invalid channel ID')
  }
  await checkMayPost(context, { user, realm, place }, reference)
  return place.channel
}

async function prepareNotices(
  context: Context,
  { user, realm }: Mover,
  { source, target, topic, selection, count, isWhole }: Omit<MovePlan, 'notices'>,
  flags: Flags,
): Promise<PlannedNotice[]> {
  const newTopic = topic ?? selection.topic
  const prepare = (text: string) => prepareNotice(context, realm.realm_id, text)
  const resolved = source === target ? resolution(selection.topic, newTopic) : null
  if (resolved) {
    return [
      {
        notice: await prepare(resolutionText(user, resolved)),
        channel: target,
        topic: newTopic,
        isForParticipants: true,
      },
    ]
  }
  const story = {
    mover: user,
    from: { channelName: source.name, topic: selection.topic },
    to: { channelName: target.name, topic: newTopic },
    count,
    isWhole,
  }
  const notices: PlannedNotice[] = []
  if (flags.send_notification_to_new_thread ?? true) {
    notices.push({
      notice: await prepare(newThreadText(story)),
      channel: target,
      topic: newTopic,
      isForParticipants: false,
    })
  }
  if (flags.send_notification_to_old_thread ?? false) {
    notices.push({
      notice: await prepare(oldThreadText(story)),
      channel: source,
      topic: selection.topic,
      isForParticipants: false,
    })
  }
  return notices
}
