import { domainEvents, type MessageFlag, type MessageHolders, type PayloadOf } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { flagsOfAll } from '../messages/announce-message.ts'
import { isMeMessage } from '../messages/content.rules.ts'
import type { MessageView } from '../messages/message-view.queries.ts'
import { countSubscribers, listParticipants } from '../messages/posting-place.queries.ts'
import { reachOf } from '../moves/reach.ts'
import { topicLinks } from '../rendering/topic-links.ts'
import type { Standpoint } from './editable.queries.ts'
import type { EditPlan, EditRequest } from './plan-edit.ts'
import {
  listReceivers,
  listSparseFlags,
  listUnreached,
  listUnreadBy,
  type Placed,
} from './reached.queries.ts'

type Payload = PayloadOf<typeof domainEvents.messaging.messageUpdated>

/** Above so many subscribers an event doesn't say who has read a message. */
const MAX_LISTED = 10_000

/** A change as it was made in the end. */
interface MadeChange {
  readonly before: Standpoint
  readonly messageIds: readonly number[]
  /** Who had them before it, and could see them. */
  readonly holders: MessageHolders
  readonly at: Date
}

/** Tells of a change that was made, with everyone's flags as they are now. */
export async function announceUpdate(
  tx: Tx,
  { context, caller, requestId }: EditRequest,
  plan: EditPlan,
  change: MadeChange,
): Promise<void> {
  const { view, move } = plan
  const { channel } = view
  await context.publish(
    tx,
    domainEvents.messaging.messageUpdated,
    {
      update: describeUpdate(plan, change),
      channel: channel && reachOf(channel),
      new_channel: move && move.target.id !== move.source.id ? reachOf(move.target) : null,
      arrival: describeArrival(plan),
      holder_ids: change.holders.user_ids,
      ...(await readFlags(tx, plan)),
    },
    { realmId: caller.realmId, requestId },
  )
}

/** The fields that are the same for everyone. */
function describeUpdate(
  { view, text, move, edit, user, realm }: EditPlan,
  { before, messageIds, at }: MadeChange,
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
      prev_rendered_content_version: 1,
      is_me_message: isMeMessage(text.content),
    }),
    ...(move && { propagate_mode: edit.mode, orig_subject: view.topic }),
    ...(edit.topic === null
      ? {}
      : { subject: edit.topic, topic_links: topicLinks(edit.topic, realm.linkifiers) }),
    ...(edit.channelId === null ? {} : { new_stream_id: edit.channelId }),
  }
}

/** What those are told of a move to another channel who could not see the messages where they were. */
function describeArrival({ view, move, edit, realm }: EditPlan): Payload['arrival'] {
  if (!move || move.target.id === move.source.id) return null
  const { id, name } = move.target
  const subject = edit.topic ?? view.topic
  return { stream_id: id, stream_name: name, subject, topic_links: topicLinks(subject, realm.linkifiers) }
}

type Flags = Pick<Payload, 'flags_by_user' | 'flags_of_all' | 'unread_user_ids'>

async function readFlags(tx: Tx, { view, text, move, edit }: EditPlan): Promise<Flags> {
  const place: Placed = {
    messageId: view.id,
    recipientId: move?.target.recipientId ?? view.recipientId,
    channelId: move?.target.id ?? view.channel?.id ?? null,
  }
  const isListed =
    place.channelId === null || (await countSubscribers(tx, place.channelId, MAX_LISTED + 1)) <= MAX_LISTED
  const flags = await listSparseFlags(tx, view.id)
  const { mentionsChannel, mentionsTopic } = text ?? view
  if (mentionsTopic) await addTopicMentions(tx, flags, view, place, edit.topic ?? view.topic)
  if (mentionsChannel && isListed && place.channelId !== null) {
    for (const userId of await listUnreached(tx, place.channelId, view.id)) add(flags, userId, 'historical')
  }
  return {
    flags_by_user: Object.fromEntries(flags),
    flags_of_all: flagsOfAll({ mentionsChannel }),
    unread_user_ids: isListed ? await listUnreadBy(tx, place) : null,
  }
}

async function addTopicMentions(
  tx: Tx,
  flags: Map<number, MessageFlag[]>,
  view: MessageView,
  place: Placed,
  topic: string,
): Promise<void> {
  const participants = await listParticipants(tx, place.recipientId, topic, view.id)
  for (const userId of await listReceivers(tx, place, [...new Set([...participants, view.senderId])])) {
    add(flags, userId, 'topic_wildcard_mentioned')
    add(flags, userId, 'wildcard_mentioned')
  }
}

function add(flags: Map<number, MessageFlag[]>, userId: number, flag: MessageFlag): void {
  const own = flags.get(userId) ?? []
  if (!own.includes(flag)) flags.set(userId, [...own, flag])
}
