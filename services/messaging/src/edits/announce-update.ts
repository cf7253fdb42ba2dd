import { domainEvents, type MessageFlag, type MessageHolders, type PayloadOf } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { listReaders } from '../kernel/grantees/grantees.queries.ts'
import type { EditableMessage } from '../kernel/messages/editable-message.queries.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import { countSubscribers, listParticipants } from '../kernel/messages/posting-target.queries.ts'
import { isMeMessage } from '../kernel/text/content.rules.ts'
import { flagsOfAll } from '../messages/initial-flags.rules.ts'
import { toChannelAccess } from '../moves/channel-access.ts'
import { topicLinks } from '../rendering/topic-links.ts'
import {
  listNonReceivers,
  listReceivers,
  listSparseFlags,
  listUnreadBy,
  type MessageLocation,
} from './message-receivers.queries.ts'
import type { EditPlan, EditRequest } from './plan-edit.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageUpdated>

/** In larger channels the event doesn't list who has read a message. */
const MAX_LISTED = 10_000

interface AppliedChange {
  readonly before: EditableMessage
  readonly messageIds: readonly number[]
  /** Users who had the messages before the change, and could see them. */
  readonly holders: MessageHolders
  readonly at: Date
}

/** Publishes a change with the current flags of everyone. */
export async function announceUpdate(
  tx: Tx,
  { context, caller, requestId }: EditRequest,
  plan: EditPlan,
  change: AppliedChange,
): Promise<void> {
  const { view, move } = plan
  const { channel } = view
  const target = move && move.target.id !== move.source.id ? move.target : null
  const readers = target ? (await listReaders(tx, [target.id])).get(target.id) : undefined
  await context.publish(
    tx,
    domainEvents.messaging.messageUpdated,
    {
      update: describeUpdate(plan, change),
      channel: channel && toChannelAccess(channel),
      new_channel: target && toChannelAccess(target, readers),
      arrival: describeArrival(plan),
      holder_ids: change.holders.user_ids,
      ...(await listFlags(tx, plan)),
    },
    { realmId: caller.realmId, requestId },
  )
}

/** Builds the fields that are the same for all users. */
function describeUpdate(
  { view, text, move, edit, user, realm }: EditPlan,
  { before, messageIds, at }: AppliedChange,
): Payload['update'] {
  const { channel } = view
  return {
    user_id: user.user_id,
    rendering_only: false,
    message_id: view.id,
    message_ids: [...messageIds],
    edit_timestamp: Math.floor(at.getTime() / 1000),
    ...(channel ? { stream_id: channel.id, stream_name: channel.name } : {}),
    ...(text && {
      content: text.content,
      rendered_content: text.html,
      orig_content: before.content,
      orig_rendered_content: before.html,
      is_me_message: isMeMessage(text.content),
    }),
    ...(move && { propagate_mode: edit.mode, orig_subject: view.topic }),
    ...(edit.topic === null
      ? {}
      : { subject: edit.topic, topic_links: topicLinks(edit.topic, realm.linkifiers) }),
    ...(edit.channelId === null ? {} : { new_stream_id: edit.channelId }),
  }
}

/** Builds the fields for users who could not see the messages before a move to another channel. */
function describeArrival({ view, move, edit, realm }: EditPlan): Payload['arrival'] {
  if (!move || move.target.id === move.source.id) return null
  const { id, name } = move.target
  const subject = edit.topic ?? view.topic
  return { stream_id: id, stream_name: name, subject, topic_links: topicLinks(subject, realm.linkifiers) }
}

type Flags = Pick<Payload, 'flags_by_user' | 'flags_of_all' | 'unread_user_ids'>

async function listFlags(tx: Tx, { view, text, move, edit }: EditPlan): Promise<Flags> {
  const location: MessageLocation = {
    messageId: view.id,
    recipientId: move?.target.recipientId ?? view.recipientId,
    channelId: move?.target.id ?? view.channel?.id ?? null,
  }
  const isListed =
    location.channelId === null ||
    (await countSubscribers(tx, location.channelId, MAX_LISTED + 1)) <= MAX_LISTED
  const flags = await listSparseFlags(tx, view.id)
  const { mentionsChannel, mentionsTopic } = text ?? view
  if (mentionsTopic) await addTopicMentions(tx, flags, view, location, edit.topic ?? view.topic)
  if (mentionsChannel && isListed && location.channelId !== null) {
    for (const userId of await listNonReceivers(tx, location.channelId, view.id))
      add(flags, userId, 'historical')
  }
  return {
    flags_by_user: Object.fromEntries(flags),
    flags_of_all: flagsOfAll({ mentionsChannel }),
    unread_user_ids: isListed ? await listUnreadBy(tx, location) : null,
  }
}

async function addTopicMentions(
  tx: Tx,
  flags: Map<number, MessageFlag[]>,
  view: MessageView,
  location: MessageLocation,
  topic: string,
): Promise<void> {
  const participants = await listParticipants(tx, location.recipientId, topic, view.id)
  for (const userId of await listReceivers(tx, location, [...new Set([...participants, view.senderId])])) {
    add(flags, userId, 'topic_wildcard_mentioned')
    add(flags, userId, 'wildcard_mentioned')
  }
}

function add(flags: Map<number, MessageFlag[]>, userId: number, flag: MessageFlag): void {
  const own = flags.get(userId) ?? []
  if (!own.includes(flag)) flags.set(userId, [...own, flag])
}
