import type { Queryable } from '@tms/service-kit'
import { grantColumns } from '../access/access.queries.ts'
import { isArchivedName } from '../channels/archived-name.rules.ts'
import { CHANNEL_COLUMNS, type Channel } from '../channels/channel.queries.ts'
import { IS_SUBSCRIBER } from '../subscriptions/subscription.queries.ts'
import { caseKey } from '../text/case-key.ts'
import type { ChannelReference } from './message-target.rules.ts'
import { PARTICIPANT_WINDOW } from './participation.queries.ts'

/** A channel and whether the user is subscribed to it, or reads it by a permission. */
export interface ChannelTarget {
  readonly channel: Channel
  readonly isSubscribed: boolean
  readonly isReader: boolean
}

type Row = Channel & Pick<ChannelTarget, 'isSubscribed' | 'isReader'>

/** The channel and topic of a message to send. */
export interface TopicTarget extends ChannelTarget {
  readonly recipientId: number
  /** As the question named them. */
  readonly reference: ChannelReference
  readonly topic: string
  /** The sender's current policy for the topic, and whether the sender muted the channel. */
  readonly senderPolicy: { readonly isChannelMuted: boolean; readonly current: number }
  /** The topic has a message. */
  readonly isStarted: boolean
  /** The channel has no message: its first one is delivered to everyone who sees the channel. */
  readonly isEmpty: boolean
  /** Version of the channel: increases when a permission in it may have been withdrawn, and when it becomes empty. */
  readonly version: number
  /** Counts how often users joined the channel. */
  readonly joins: number
  /**
   * Text that changes with the channel's row and with `senderPolicy`, of which the version tells nothing. A message to a target that
   * was recalled is stored only if this is still the `currentRevision`. Null of one that was read for the message.
   */
  readonly revision: string | null
}

type TopicRow = Row & { isChannelMuted: boolean; current: number } & Pick<
    TopicTarget,
    'isStarted' | 'isEmpty' | 'version' | 'joins'
  > & { revision: string }

const targetBy = (condition: string, more = '', joined = '') => `
  select ${CHANNEL_COLUMNS}, coalesce(s.is_active, false) as "isSubscribed",
         ${grantColumns('channels', '$2').isReader} as "isReader"${more}
    from channels
    left join subscriptions s
      on s.channel_id = id
     and s.user_id = $2${joined}
   where realm_id = $1
     and not is_archived
     and ${condition}`

const BY_ID = { name: 'find-channel-target-by-id', text: targetBy('id = $3') }
const BY_NAME = { name: 'find-channel-target-by-name', text: targetBy('name_key = $3') }

/** Finds a channel by ID, or by name ignoring case, with the user's subscription in one query. */
export async function findChannelTarget(
  db: Queryable,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
): Promise<ChannelTarget | null> {
  const { rows } = await db.query<Row>(
    'id' in reference
      ? { ...BY_ID, values: [realmId, userId, reference.id] }
      : { ...BY_NAME, values: [realmId, userId, caseKey(reference.name)] },
  )
  const [row] = rows
  if (!row) return null
  const { isSubscribed, isReader, ...channel } = row
  return { channel, isSubscribed, isReader }
}

/** A channel, archived or not, and what connects a user with it. */
export interface ReadTarget extends ChannelTarget {
  readonly isViewer: boolean
  /** The user has, or had, a subscription, or received something there without one. */
  readonly wasIn: boolean
}

/** Finds a channel as `findChannelTarget` does, or an archived one by ID or by exactly the name that it has since. */
export async function findReadTarget(
  db: Queryable,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
): Promise<ReadTarget | null> {
  const { isReader: reader, isViewer: viewer } = grantColumns('channels', '$2')
  const [condition, value] = conditionOf(reference)
  const { rows } = await db.query<Row & Pick<ReadTarget, 'isViewer' | 'wasIn'>>(
    `select ${CHANNEL_COLUMNS}, coalesce(s.is_active or s.is_in_archive, false) as "isSubscribed",
            s.user_id is not null as "wasIn", ${reader} as "isReader", ${viewer} as "isViewer"
       from channels
       left join subscriptions s
         on s.channel_id = id
        and s.user_id = $2
      where realm_id = $1
        and ${condition}`,
    [realmId, userId, value],
  )
  const [row] = rows
  if (!row) return null
  const { isSubscribed, isReader, isViewer, wasIn, ...channel } = row
  return { channel, isSubscribed, isReader, isViewer, wasIn }
}

/** SQL: a condition on `channels`, and its parameter `$3`. Only archived channels have names of their kind. */
function conditionOf(reference: ChannelReference): [string, number | string] {
  if ('id' in reference) return ['id = $3', reference.id]
  const { name } = reference
  return isArchivedName(name)
    ? ['is_archived and name = $3', name]
    : ['not is_archived and name_key = $3', caseKey(name)]
}

const hasMessages = (recipientId: string, topicKey: string) => `
  exists (select from messages where messages.recipient_id = ${recipientId} and topic_key = ${topicKey})`

/** SQL: joins the policy of a user for a topic. */
const itsPolicy = (userId: string, topicKey: string) => `
    left join user_topics policy
      on policy.user_id = ${userId}
     and policy.channel_id = channels.id
     and policy.topic_key = ${topicKey}`

/** SQL: see `TopicTarget`. `xmin` is the transaction that wrote the channel's row last. */
const REVISION = `concat_ws(' ', channels.xmin, s.is_muted::int, coalesce(policy.visibility_policy, 0))`

/**
 * SQL: the revision that a topic of the channel in `channels` has now for a subscriber; null if the topic has no message, or the
 * user isn't subscribed.
 */
export const revisionInChannel = ({ userId, topicKey }: { userId: string; topicKey: string }): string => `
  (select ${REVISION}
     from subscriptions s${itsPolicy(userId, topicKey)}
    where s.channel_id = channels.id
      and s.user_id = ${userId}
      and s.is_active
      and ${hasMessages('channels.recipient_id', topicKey)})`

/** SQL: the revision as `revisionInChannel`, of the channel with this ID; null too if it is archived. */
export const currentRevision = (of: { channelId: string; userId: string; topicKey: string }): string => `
  (select ${revisionInChannel(of)}
     from channels
    where channels.id = ${of.channelId}
      and not channels.is_archived)`

const TOPIC_COLUMNS = `,
         coalesce(s.is_muted, false) as "isChannelMuted",
         coalesce(policy.visibility_policy, 0) as current,
         ${hasMessages('channels.recipient_id', '$4')} as "isStarted",
         version, joins, "isEmpty", ${REVISION} as revision`

/** SQL: joins what a message needs to know of the recipient, by names that no other table has. */
const ITS_RECIPIENT = `${itsPolicy('$2', '$4')}
   cross join lateral (
         select version, joins, first_message_id is null as "isEmpty"
           from recipients
          where recipients.id = channels.recipient_id) recipient`

const TOPIC_BY_ID = {
  name: 'find-posting-target-by-id',
  text: targetBy('id = $3', TOPIC_COLUMNS, ITS_RECIPIENT),
}
const TOPIC_BY_NAME = {
  name: 'find-posting-target-by-name',
  text: targetBy('name_key = $3', TOPIC_COLUMNS, ITS_RECIPIENT),
}

/**
 * SQL: a statement for many questions at once. Each parameter has its values of all questions, whose numbers begin with 1.
 * PostgreSQL doesn't see how many they are when it plans: otherwise fewer than it expects would be planned anew each time, which
 * took up to two fifths of the statement's time.
 */
const forAll = ({ name, text }: typeof TOPIC_BY_ID, referenceType: string) => ({
  name: `${name}-for-all`,
  text: `
    select question.number, target.*
      from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::${referenceType}[]), (select $4::text[]))
           with ordinality as question (of_realm, of_user, by_reference, of_topic, number)
     cross join lateral (${['of_realm', 'of_user', 'by_reference', 'of_topic'].reduce(
       (sql, column, index) => sql.replaceAll(`$${index + 1}`, `question.${column}`),
       text,
     )}) target`,
})

const TOPICS_BY_ID = forAll(TOPIC_BY_ID, 'bigint')
const TOPICS_BY_NAME = forAll(TOPIC_BY_NAME, 'text')

/** A topic of a channel, and the user who asks for it. */
export interface TopicQuestion {
  readonly user: { readonly realmId: number; readonly userId: number }
  readonly reference: ChannelReference
  readonly topic: string
}

/** Finds a channel together with a topic of it, and their revision if it can be compared. */
export async function findTopicTarget(
  db: Queryable,
  { user: { realmId, userId }, reference, topic }: TopicQuestion,
): Promise<TopicTarget | null> {
  const key = caseKey(topic)
  const { rows } = await db.query<TopicRow>(
    'id' in reference
      ? { ...TOPIC_BY_ID, values: [realmId, userId, reference.id, key] }
      : { ...TOPIC_BY_NAME, values: [realmId, userId, caseKey(reference.name), key] },
  )
  const [row] = rows
  return row ? asTopicTarget(row, { reference, topic }) : null
}

/** Finds them as `findTopicTarget` does, in the order of the questions. */
export async function findTopicTargets(
  db: Queryable,
  questions: readonly TopicQuestion[],
): Promise<(TopicTarget | null)[]> {
  const found = questions.map((): TopicTarget | null => null)
  const numbered = questions.map((question, index) => ({ ...question, index }))
  const byId = numbered.filter(({ reference }) => 'id' in reference)
  const byName = numbered.filter(({ reference }) => 'name' in reference)
  // One after the other: who asks for many has a connection for it.
  await findAll(TOPICS_BY_ID, byId)
  await findAll(TOPICS_BY_NAME, byName)
  return found

  async function findAll(statement: { name: string; text: string }, asked: typeof numbered): Promise<void> {
    if (asked.length === 0) return
    const { rows } = await db.query<TopicRow & { number: number }>({
      ...statement,
      values: [
        asked.map(({ user }) => user.realmId),
        asked.map(({ user }) => user.userId),
        asked.map(({ reference }) => ('id' in reference ? reference.id : caseKey(reference.name))),
        asked.map(({ topic }) => caseKey(topic)),
      ],
    })
    for (const { number, ...row } of rows) {
      const question = asked[number - 1]
      if (question) found[question.index] = asTopicTarget(row, question)
    }
  }
}

function asTopicTarget(
  { revision, isSubscribed, isReader, isChannelMuted, current, ...row }: TopicRow,
  { reference, topic }: Pick<TopicQuestion, 'reference' | 'topic'>,
): TopicTarget {
  const { isStarted, isEmpty, version, joins, ...channel } = row
  const senderPolicy = { isChannelMuted, current }
  const { recipientId } = channel
  // There is a current revision only for these.
  const mayRecall = isSubscribed && isStarted && !isEmpty
  const state = { isStarted, isEmpty, version, joins, revision: mayRecall ? revision : null }
  return { channel, recipientId, reference, topic, isSubscribed, isReader, senderPolicy, ...state }
}

/** Whether a topic has a message. */
export async function isTopicStarted(db: Queryable, recipientId: number, topic: string): Promise<boolean> {
  const { rows } = await db.query<{ isStarted: boolean }>({
    name: 'is-topic-started',
    text: `select ${hasMessages('$1', '$2')} as "isStarted"`,
    values: [recipientId, caseKey(topic)],
  })
  return rows[0]?.isStarted ?? false
}

/** Counts the subscribers of a channel up to `atMost`, so that the cost is independent of its size. */
export async function countSubscribers(db: Queryable, channelId: number, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-subscribers-up-to',
    text: `
      select count(*) as count
        from (select from subscriptions where channel_id = $1 and ${IS_SUBSCRIBER} limit $2) some_of_them`,
    values: [channelId, atMost],
  })
  return rows[0]?.count ?? 0
}

/** Lists those of `userIds` who are subscribed. */
export async function listSubscribed(
  db: Queryable,
  channelId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-subscribed',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $1
         and user_id = any($2)
         and is_active
       order by user_id`,
    values: [channelId, userIds],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Lists the participants of a topic: the users who sent one of its last `PARTICIPANT_WINDOW` messages or reacted
 * to one. With `beforeId`, as of the time when that message was sent.
 */
export async function listParticipants(
  db: Queryable,
  recipientId: number,
  topic: string,
  beforeId: number | null = null,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-participants',
    text: `
      with recent as materialized (
        select id, sender_id
          from messages
         where recipient_id = $1
           and topic_key = $2
           and id < coalesce($3, ${Number.MAX_SAFE_INTEGER})
         order by id desc
         limit ${PARTICIPANT_WINDOW}
      )
      select sender_id as "userId" from recent
       union
      select user_id
        from reactions
       where message_id in (select id from recent)
         and created_at < coalesce((select sent_at from messages where id = $3), 'infinity')`,
    values: [recipientId, caseKey(topic), beforeId],
  })
  return rows.map(({ userId }) => userId)
}
