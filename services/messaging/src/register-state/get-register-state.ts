import {
  actedOnSettings,
  canSeeDefaultChannels,
  type internal,
  limits,
  type RegisterStateBody,
  topicNameFor,
  wants,
} from '@tms/contracts'
import { type InternalHandler, readWithSnapshot, type Tx, writeJsonFields } from '@tms/service-kit'
import { listNewestDrafts } from '../drafts/draft.queries.ts'
import { listDefaultChannelIds } from '../kernel/channels/channel.queries.ts'
import { listVisibleChannels } from '../kernel/channels/visible-channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { ProjectionReader } from '../kernel/projections/projection-reader.ts'
import { findPublishedRole } from '../kernel/projections/published-membership.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { listScheduledMessages, toScheduledRecord } from '../scheduled-messages/scheduled-message.queries.ts'
import { listMutedTopics, listUserTopics } from '../topics/user-topic.queries.ts'
import { groupBySubscription, type StreamNotifications } from './channel-lists.rules.ts'
import { findUnread } from './find-unread.ts'
import {
  findMaxMessageId,
  listRecentConversations,
  listStarredIds,
  listSubscribedIds,
} from './personal.queries.ts'
import type { UnreadSummary } from './unread.rules.ts'

/** Maximum lengths of two lists. */
const MAX_STARRED = 10_000
const MAX_CONVERSATIONS = 1_000

type State = Record<string, unknown>

/** Returns the part of the register state that messaging owns, from one snapshot. */
export const handleMessagingRegisterState: InternalHandler<
  typeof internal.messaging.messagingRegisterState,
  Context
> = async (body, { db, projections }) => {
  const inherited = needsInherited(body) ? await findInherited(projections, body.user_id) : null
  const { snapshot, result } = await readWithSnapshot(db, async (tx) => {
    // The last published role decides, so that the state fits the events that the user's clients receive.
    const role = (await findPublishedRole(tx, body.user_id)) ?? body.role
    return {
      role,
      channel_ids: await listSubscribedIds(tx, body.user_id, showsArchived(body)),
      state: await readState(tx, { ...body, role }, inherited),
    }
  })
  return { snapshot, ...result, state: await writeJsonFields(result.state) }
}

/** Whether the client needs the user's settings in place of null in subscriptions. */
function needsInherited(body: RegisterStateBody): boolean {
  return wants(body, 'subscription') && !body.client_capabilities.notification_settings_null
}

/** The stored settings may be from an earlier release, and incomplete. */
async function findInherited(projections: ProjectionReader, userId: number): Promise<StreamNotifications> {
  const { settings } = await projections.getUser(userId)
  return actedOnSettings.parse(settings)
}

async function readState(
  tx: Tx,
  body: RegisterStateBody,
  inherited: StreamNotifications | null,
): Promise<State> {
  return {
    ...(await readChannels(tx, body, inherited)),
    ...(await readMessages(tx, body)),
    ...(await readTopics(tx, body)),
    ...(wants(body, 'drafts') ? { drafts: await listNewestDrafts(tx, body.user_id, limits.maxDrafts) } : {}),
  }
}

async function readChannels(
  tx: Tx,
  body: RegisterStateBody,
  inherited: StreamNotifications | null,
): Promise<State> {
  const state: State = {}
  if (wants(body, 'default_streams')) {
    state['realm_default_streams'] = canSeeDefaultChannels(body.role)
      ? await listDefaultChannelIds(tx, body.realm_id)
      : []
  }
  if (wants(body, 'default_stream_groups')) state['realm_default_stream_groups'] = []
  if (!wants(body, 'stream') && !wants(body, 'subscription')) return state

  const viewer = { realmId: body.realm_id, userId: body.user_id, role: body.role }
  const visible = await listVisibleChannels(tx, viewer, showsArchived(body))
  if (wants(body, 'stream')) state['streams'] = visible.map(({ record }) => record)
  if (wants(body, 'subscription')) {
    const channelIds = visible.map(({ record }) => record.stream_id)
    const subscribers = body.include_subscribers ? await listSubscriberIds(tx, channelIds) : null
    Object.assign(state, groupBySubscription(visible, { subscribers, inherited }))
  }
  return state
}

const showsArchived = ({ client_capabilities }: RegisterStateBody) => ({
  withArchived: client_capabilities.archived_channels,
})

async function readMessages(tx: Tx, body: RegisterStateBody): Promise<State> {
  const state: State = {}
  if (wants(body, 'message')) {
    const maxMessageId = await findMaxMessageId(tx, body.user_id)
    state['max_message_id'] = maxMessageId
    if (wants(body, 'update_message_flags')) {
      state['unread_msgs'] = withTopicNames(await findUnread(tx, body.user_id, maxMessageId), body)
    }
  }
  if (wants(body, 'starred_messages')) {
    state['starred_messages'] = await listStarredIds(tx, body.user_id, MAX_STARRED)
  }
  if (wants(body, 'scheduled_messages')) {
    state['scheduled_messages'] = (await listScheduledMessages(tx, body.user_id)).map(toScheduledRecord)
  }
  if (wants(body, 'recent_private_conversations')) {
    state['recent_private_conversations'] = await listRecentConversations(tx, body.user_id, MAX_CONVERSATIONS)
  }
  return state
}

function withTopicNames(unread: UnreadSummary, body: RegisterStateBody): UnreadSummary {
  const nameOf = topicNamesFor(body)
  return { ...unread, streams: unread.streams.map((one) => ({ ...one, topic: nameOf(one.topic) })) }
}

const topicNamesFor =
  ({ client_capabilities }: RegisterStateBody) =>
  (topic: string): string =>
    topicNameFor(topic, client_capabilities.empty_topic_name)

/** Clients that request both types don't get the legacy list. */
async function readTopics(tx: Tx, body: RegisterStateBody): Promise<State> {
  const state: State = {}
  const nameOf = topicNamesFor(body)
  if (wants(body, 'user_topic')) {
    const topics = await listUserTopics(tx, body.user_id)
    state['user_topics'] = topics.map((one) => ({ ...one, topic_name: nameOf(one.topic_name) }))
  }
  const requestsUserTopics = body.fetch_event_types?.includes('user_topic') ?? false
  if (wants(body, 'muted_topics') && !requestsUserTopics) {
    const muted = (await listMutedTopics(tx, [body.user_id])).get(body.user_id) ?? []
    state['muted_topics'] = muted.map(([channel, topic, since]) => [channel, nameOf(topic), since])
  }
  return state
}
