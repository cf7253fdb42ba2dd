import { canAccessPublicChannels, type Digest } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews, type MessageView } from '../kernel/messages/message-view.queries.ts'
import { presentMessages } from '../messages/present-messages.ts'
import { boundHtml } from '../missed-messages/conversation.rules.ts'
import { renderForMail } from '../missed-messages/mail-html.rules.ts'
import { writeForMail } from '../missed-messages/mail-text.rules.ts'
import { channelUrl, topicUrl } from '../rendering/syntax/channel-urls.ts'
import { chooseTopics, type TopicNews } from './choose-topics.rules.ts'
import {
  type DigestChannel,
  hasWrittenSince,
  listDigestChannels,
  listMutedTopics,
  listNewChannels,
  listTopicMessages,
} from './digest.queries.ts'
import { shortened } from './sample-text.rules.ts'
import type { FindTopicNews } from './topic-news.ts'

/** Topics of which messages are read: more cost queries, and rarely is nothing of so many left for the user. */
const MAX_TRIES = 12
/** Messages of a topic that are looked at, without their texts. */
const MAX_MESSAGES = 500
const MAX_SAMPLES = 2
const MAX_NAMES = 4
const MAX_NEW_CHANNELS = 10

/** What describing digests uses. */
export interface DigestContext extends Context {
  readonly findTopicNews: FindTopicNews
}

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role'> & { readonly mutedIds: ReadonlySet<number> }
type TopicOfChannel = TopicNews & { readonly channel: DigestChannel }

/**
 * What a user has missed since a time, as the user may see it now: unread messages of a few topics, and new channels.
 * Null if there is nothing, or if the user has written something since `awaySince`. Times are UNIX seconds.
 */
export async function describeDigest(
  context: DigestContext,
  request: {
    readonly realmId: number
    readonly userId: number
    readonly since: number
    readonly awaySince: number
  },
): Promise<Digest | null> {
  const { realmId, userId, since, awaySince } = request
  const { db, projections } = context
  if (await hasWrittenSince(db, userId, awaySince)) return null
  const [{ url }, { role, muted_user_ids }] = await Promise.all([
    projections.getRealm(realmId),
    projections.getUser(userId),
  ])
  const viewer: Viewer = { realmId, userId, role, mutedIds: new Set(muted_user_ids) }
  const topics = await chooseTopics(await listActiveTopics(context, userId, since), MAX_TRIES, (topic) =>
    describeTopic(context, viewer, { topic, since, baseUrl: url }),
  )
  const kind = canAccessPublicChannels(role) ? 'public' : 'web-public'
  const created = await listNewChannels(db, realmId, since, kind)
  if (topics.length === 0 && created.length === 0) return null
  const shown = created.slice(0, MAX_NEW_CHANNELS)
  return {
    user_id: userId,
    topics,
    channels: shown.map(({ id, name }) => ({ name, path: channelUrl({ channelId: id, name }) })),
    further_channels: created.length - shown.length,
  }
}

/** Topics of the user's channels in which something happened, except muted ones. */
async function listActiveTopics(
  { db, findTopicNews }: DigestContext,
  userId: number,
  since: number,
): Promise<TopicOfChannel[]> {
  const channels = await listDigestChannels(db, userId)
  const activity = await findTopicNews(
    channels.map(({ recipientId }) => recipientId),
    since,
  )
  const active = channels.filter(({ recipientId }) => (activity.get(recipientId)?.length ?? 0) > 0)
  const muted = new Set(
    (
      await listMutedTopics(
        db,
        userId,
        active.map(({ id }) => id),
      )
    ).map(({ channelId, topicKey }) => `${channelId} ${topicKey}`),
  )
  return active.flatMap((channel) =>
    (activity.get(channel.recipientId) ?? [])
      .filter(({ topicKey }) => !muted.has(`${channel.id} ${topicKey}`))
      .map((topic) => ({ ...topic, channel })),
  )
}

/** Null if there is nothing in it that the user may see and hasn't read. */
async function describeTopic(
  context: DigestContext,
  viewer: Viewer,
  {
    topic,
    since,
    baseUrl,
  }: { readonly topic: TopicOfChannel; readonly since: number; readonly baseUrl: string },
): Promise<Digest['topics'][number] | null> {
  const { db } = context
  const { recipientId } = topic.channel
  const ids = await listTopicMessages(db, { ...topic, recipientId }, since, MAX_MESSAGES)
  const isMissed = (view: MessageView) =>
    !view.isRead && canSeeMessage(viewer, view) && !viewer.mutedIds.has(view.senderId)
  const missed = (await listMessageViews(db, viewer, ids, {})).filter(isMissed)
  const sampleIds = missed.slice(0, MAX_SAMPLES).map(({ id }) => id)
  const samples = (await listMessageViews(db, viewer, sampleIds, { html: true, raw: true })).filter(isMissed)
  const last = samples.at(-1)
  if (last?.channel === null || last === undefined) return null
  const bySender = [...Map.groupBy(missed, ({ senderId }) => senderId).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const ofWriters = bySender.slice(0, MAX_NAMES).flatMap(([first]) => first ?? [])
  const presented = await presentMessages(context, viewer, [...samples, ...ofWriters], {
    applyMarkdown: true,
    clientGravatar: false,
    knowsEmptyTopics: false,
  })
  const linked = { channelId: last.channel.id, name: last.channel.name }
  return {
    channel_name: linked.name,
    topic: presented[0]?.subject ?? last.topic,
    path: topicUrl(linked, last.topic, missed[0]?.id),
    participants: presented.slice(samples.length).map(({ sender_full_name }) => sender_full_name),
    further_participants: bySender.length - ofWriters.length,
    messages: samples.map(({ raw, html }, index) => {
      const text = writeForMail(raw ?? '', baseUrl)
      return {
        sender_name: presented[index]?.sender_full_name ?? '',
        ...shortened({ text, html: boundHtml(renderForMail(html ?? '', baseUrl)) }),
      }
    }),
    further_messages: missed.length - samples.length,
  }
}
