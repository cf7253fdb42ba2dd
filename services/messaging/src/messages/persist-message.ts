import { type Cause, type Queryable, type Tx, transact } from '@tms/service-kit'
import { claimAttachments } from '../attachments/claim-attachments.ts'
import { deliverToMentionedBots } from '../flags/message-flags.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { publishFirstMessages } from '../kernel/channels/publish-first-messages.ts'
import type { Context } from '../kernel/context.ts'
import { newEffects } from '../kernel/effects/effects.ts'
import { queueVisibilityAfterFirstMessage } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { lockRecipient } from '../kernel/locks/recipient-locks.queries.ts'
import { isTopicStarted, listSubscribed } from '../kernel/messages/posting-target.queries.ts'
import { addWebhookCalls } from '../kernel/webhooks/new-call.queries.ts'
import { insertSubmessage, reserveSubmessageId } from '../submessages/submessage.queries.ts'
import { changeVisibility } from '../topics/change-visibility.ts'
import { listTopicPolicies } from '../topics/topic-policy.queries.ts'
import { nextPolicies, type UserActivity } from '../topics/visibility.rules.ts'
import type { CheckedMessage, ConversationTarget, PostingTarget } from './checked-message.ts'
import { composeMessage, type NewSubmessage } from './compose-message.ts'
import { type NotificationCandidates, type NotifiedUsers, selectNotified } from './notified-users.rules.ts'
import { listMentionedNow } from './resolve-mentions.ts'
import type { SendRequest, SendResult } from './send-request.ts'
import { boundLockWaits, storeMessage, VersionConflictError } from './store-message.queries.ts'

/**
 * Stores a checked message with everything that belongs to it: lock → recheck → persist → publish. Throws
 * `VersionConflictError` if the channel has changed since the checks, SERVICE_UNAVAILABLE if it can't begin before `until`.
 *
 * For most messages the statement of `storeMessage` does all four: also for those that mention subscribers, who are read before
 * and stored only if nobody has joined since. The others, and with `isOptimistic` false all that matter more to some
 * subscribers, take a transaction, whose locks follow the order of `locks`. A hook deletes a row of its own, such as a scheduled message, and so locks it after the
 * recipient. Transactions that store a notice about that row take the same order.
 */
export async function persistMessage(
  context: Context,
  request: SendRequest,
  checked: CheckedMessage,
  { until, isOptimistic }: { readonly until: number; readonly isOptimistic: boolean },
): Promise<SendResult> {
  const { requestId, idempotencyKey, hook, sender } = request
  const { target, rendered } = checked
  const { version, joins, revision } = comparedOf(checked)
  const suffices = hook === null && (isOptimistic || joins === null) && !needsTransaction(checked)
  const flagged = suffices ? await findFlagged(context.db, checked) : null
  if (flagged !== null) {
    const composed = composeMessage(checked, { sentAt: context.now(), notified: flagged, submessage: null })
    const options = { requestId, idempotencyKey, version, joins, revision, until }
    return { id: await storeMessage(context.messages, composed, options), automaticVisibility: null }
  }

  // Only the statement compares it.
  if (revision !== null) throw new VersionConflictError()
  const cause = { realmId: sender.realmId, requestId }
  const store = async (tx: Tx, waitMs: number) => {
    // Lock
    await boundLockWaits(tx, waitMs)
    const current = await lockTarget(tx, target, sender.realmId)

    // Recheck
    if (version !== null && version !== current?.version) throw new VersionConflictError()
    await hook?.beforeStore(tx)
    const haveJoined = joins !== null && joins !== current?.joins
    const candidates = haveJoined ? await withJoinedMembers(tx, context, checked) : checked.candidates
    const notified = await findNotifiedUsers(tx, { target, candidates })

    // Persist and publish: policies of the topic first, so that clients know them when the message arrives
    const automaticVisibility = await changeTopicPolicies(tx, context, checked, { notified, cause })
    const submessage = await createSubmessage(tx, checked)
    const emptyChannel =
      'channel' in target && target.isEmpty ? await listChannelRecords(tx, [target.channel.id]) : []
    const composed = composeMessage(checked, { sentAt: context.now(), notified, submessage })
    const id = await storeMessage(tx, composed, { requestId, idempotencyKey, automaticVisibility })
    await publishFirstMessages(tx, context, emptyChannel, cause)

    // Persist and publish what refers to the message
    const { calledBotIds, webhookIds } = notified
    if (calledBotIds.length > 0) await deliverToMentionedBots(tx, id, calledBotIds)
    if (webhookIds.length > 0)
      await addWebhookCalls(tx, { realmId: sender.realmId, messageId: id, botIds: webhookIds })
    if (submessage) await insertSubmessage(tx, { ...submessage, message_id: id })
    await hook?.afterStore?.(tx, id)
    await claimAttachments(tx, context, { sender, messageId: id, pathIds: rendered.uploadPathIds, requestId })
    const guestVisibilityNumber = isFirstMessage(target)
      ? await queueVisibilityAfterFirstMessage(tx, target.userIds, cause)
      : null
    return { id, automaticVisibility, callsWebhooks: webhookIds.length > 0, guestVisibilityNumber }
  }

  const turn = {
    recipientId: target.recipientId,
    senderId: sender.userId,
    key: idempotencyKey?.key ?? null,
    until,
  }
  const stored = await context.messages.inTurn(turn, (waitMs) =>
    transact(context.db, (tx) => store(tx, waitMs)),
  )
  const { id, automaticVisibility, callsWebhooks, guestVisibilityNumber } = stored
  if (guestVisibilityNumber !== null)
    await context.propagateEffects({ ...newEffects(), guestVisibilityNumber }, cause)
  if (callsWebhooks) context.webhookCalls.wake()
  return { id, automaticVisibility }
}

/** Whether storing a message takes more than one statement, whichever users are subscribed. */
function needsTransaction({ target, rendered, widget, candidates }: CheckedMessage): boolean {
  if (widget !== null || rendered.uploadPathIds.length > 0 || candidates.webhookIds.length > 0) return true
  return 'channel' in target ? target.isEmpty : target.isUnused
}

/** Whether the target of a message is that of the sender's last one, which may have changed. */
export const isRecalled = ({ target }: CheckedMessage): boolean =>
  'channel' in target && target.revision !== null

/**
 * Whether what was recalled doesn't suffice: a message that takes more than one statement reads the target anyway, and for one that
 * compares joins, somebody has often joined since the last message.
 */
export const mustBeRead = (checked: CheckedMessage): boolean =>
  isRecalled(checked) &&
  (needsTransaction(checked) ||
    checked.topicPolicyCandidates.length > 0 ||
    comparedOf(checked).joins !== null)

/**
 * What must be as the checks found it. Joins matter to a message that means more to some subscribers: it would lack its flags
 * for a user who joined unnoticed.
 */
function comparedOf({ target, sender, rendered, candidates, readerIds }: CheckedMessage): {
  version: number | null
  joins: number | null
  revision: string | null
} {
  if (!('channel' in target)) return { version: null, joins: null, revision: null }
  const { version, joins, revision } = target
  const isReadByOthers = readerIds.some((userId) => userId !== sender.user_id)
  const hasCandidates = candidates.mentionedUserIds.length > 0 || candidates.alertedUserIds.length > 0
  const mentionsGroup = rendered.mentionedGroupIds.length > 0
  return { version, joins: isReadByOthers || hasCandidates || mentionsGroup ? joins : null, revision }
}

/**
 * Selects the users to notify, before the lock. Returns null if more than their flags is stored: a policy for the topic, or what
 * bots outside the channel receive. A policy that changes in this moment counts as changed afterwards.
 */
async function findFlagged(db: Queryable, checked: CheckedMessage): Promise<NotifiedUsers | null> {
  const { target, candidates, topicPolicyCandidates } = checked
  if (!('channel' in target)) return selectNotified(candidates, target.userIds)
  const { channel, topic, isStarted } = target
  const userIds = new Set([
    ...candidates.mentionedUserIds,
    ...candidates.alertedUserIds,
    ...topicPolicyCandidates.map(({ user_id }) => user_id),
  ])
  if (userIds.size === 0) return selectNotified(candidates, [])
  const policies = await listTopicPolicies(db, [...userIds], { channelId: channel.id, topic })
  const notified = selectNotified(candidates, [...policies.keys()])
  const changed = nextPolicies(activitiesIn(checked, notified, !isStarted), policies)
  return changed.size === 0 && notified.calledBotIds.length === 0 ? notified : null
}

/** Locks the target's row in `recipients` until the transaction ends, and returns its version and joins. */
async function lockTarget(tx: Tx, target: PostingTarget, realmId: number): ReturnType<typeof lockRecipient> {
  if (isFirstMessage(target)) await shareChannelVisibilityLock(tx, realmId)
  return lockRecipient(tx, target.recipientId)
}

/**
 * The users to notify if they receive the message, after users have joined its channel: of mentioned groups, only those who
 * had been in it are known from the checks.
 */
async function withJoinedMembers(
  tx: Tx,
  { now }: Context,
  checked: CheckedMessage,
): Promise<NotificationCandidates> {
  const { candidates, rendered } = checked
  if (rendered.mentionedGroupIds.length === 0) return candidates
  return { ...candidates, mentionedUserIds: await listMentionedNow(tx, checked, now()) }
}

/** Selects the users to notify from the candidates: those that receive the message. */
async function findNotifiedUsers(
  db: Queryable,
  { target, candidates }: Pick<CheckedMessage, 'target' | 'candidates'>,
): Promise<NotifiedUsers> {
  if (!('channel' in target)) return selectNotified(candidates, target.userIds)
  const userIds = [...new Set([...candidates.mentionedUserIds, ...candidates.alertedUserIds])]
  const subscriberIds = userIds.length === 0 ? [] : await listSubscribed(db, target.channel.id, userIds)
  return selectNotified(candidates, subscriberIds)
}

/**
 * Lets the sender and mentioned users follow or unmute the topic, according to their settings. Returns the new policy
 * of the sender; null if it stays.
 */
async function changeTopicPolicies(
  tx: Tx,
  context: Context,
  checked: CheckedMessage,
  { notified, cause }: { notified: NotifiedUsers; cause: Cause },
): Promise<number | null> {
  const { target, sender, topicPolicyCandidates } = checked
  if (!('channel' in target) || topicPolicyCandidates.length === 0) return null
  const { channel, topic } = target
  // Two users may send the first message at once; under the lock one of them is first.
  const isStart = !target.isStarted && !(await isTopicStarted(tx, target.recipientId, topic))
  const activities = activitiesIn(checked, notified, isStart)
  const changed = await changeVisibility(tx, context, { channelId: channel.id, topic }, activities, cause)
  return changed.get(sender.user_id) ?? null
}

/** What a message to a topic means for the policies of the sender and of the mentioned users. */
function activitiesIn(
  { sender, topicPolicyCandidates }: CheckedMessage,
  { mentionedUserIds }: NotifiedUsers,
  isStart: boolean,
): UserActivity[] {
  const mentioned = new Set(mentionedUserIds)
  return topicPolicyCandidates.flatMap((user): UserActivity[] => {
    if (user.user_id === sender.user_id) return [{ user, activity: isStart ? 'start' : 'send' }]
    return mentioned.has(user.user_id) ? [{ user, activity: 'mentioned' }] : []
  })
}

/**
 * Creates the first submessage of a form, poll or to-do list; null for other messages. It gets its ID before the
 * message is stored, because the event of the message contains it.
 */
async function createSubmessage(tx: Tx, { widget, sender }: CheckedMessage): Promise<NewSubmessage | null> {
  if (widget === null) return null
  const id = await reserveSubmessageId(tx)
  return { id, sender_id: sender.user_id, msg_type: 'widget', content: JSON.stringify(widget) }
}

/** Whether the message starts a conversation. */
function isFirstMessage(target: PostingTarget): target is ConversationTarget {
  return 'users' in target && target.isUnused
}
