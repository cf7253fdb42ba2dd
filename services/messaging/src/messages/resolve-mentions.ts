import { AppError, type RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listMentioned } from '../kernel/groups/group-mentions.ts'
import { hasRealmPermission } from '../kernel/groups/permissions.ts'
import { countSubscribers, listParticipants } from '../kernel/messages/posting-target.queries.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import type { CheckedMessage } from './checked-message.ts'
import type { ConcernedUsers } from './notified-users.rules.ts'
import { WILDCARD_FREE_SIZE } from './sending.rules.ts'

/** A rendered text, its author, and where it is posted. */
interface AuthoredText {
  readonly author: KnownUser
  readonly realm: RealmProjection
  /** Without a channel and a topic for a conversation. */
  readonly target: { readonly recipientId: number; readonly channelId: number | null; readonly topic: string }
  readonly content: string
  readonly rendered: Rendered
}

/**
 * Finds the users that a text concerns, for a send or an edit. Throws BAD_REQUEST for a group, and
 * STREAM_WILDCARD_MENTION_NOT_ALLOWED or TOPIC_WILDCARD_MENTION_NOT_ALLOWED for a wildcard, that its author may not
 * mention. A text without mentions costs no query; a wildcard costs the same in a channel of any size.
 */
export async function resolveMentions(
  { db, projections, now }: Pick<Context, 'db' | 'projections' | 'now'>,
  { author, realm, target, content, rendered }: AuthoredText,
): Promise<ConcernedUsers> {
  const policySubject = policySubjectOf(author, realm, now())
  const sender = { userId: author.user_id, policySubject }
  const mentionsMany = rendered.mentionsChannelWildcard || rendered.mentionsTopicWildcard
  const isLimited =
    mentionsMany && !(await hasRealmPermission(db, realm, 'can_mention_many_users_group', sender))
  const { recipientId, channelId, topic } = target
  if (channelId !== null && rendered.mentionsChannelWildcard && isLimited) {
    await checkHasFewSubscribers(db, channelId)
  }
  const participantIds =
    channelId !== null && rendered.mentionsTopicWildcard
      ? [...new Set(await listParticipants(db, recipientId, topic)).add(author.user_id)]
      : []
  if (isLimited && participantIds.length > WILDCARD_FREE_SIZE) {
    throw new AppError('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  }
  const mentionedUserIds = await listMentioned(db, {
    senderId: author.user_id,
    policySubject,
    realm,
    rendered,
    target,
    now: now(),
  })
  const alertedUserIds = await projections.findAlerted(realm.realm_id, content)
  return { mentionedUserIds, alertedUserIds, participantIds }
}

/**
 * Users that a checked message mentions, with those members of its groups who have joined its channel since. Throws
 * BAD_REQUEST for a group.
 */
export async function listMentionedNow(
  db: Queryable,
  { sender, realm, rendered, target }: CheckedMessage,
  now: Date,
): Promise<number[]> {
  const channelId = 'channel' in target ? target.channel.id : null
  return listMentioned(db, {
    ...{ senderId: sender.user_id, policySubject: policySubjectOf(sender, realm, now), realm, rendered, now },
    target: { recipientId: target.recipientId, channelId },
  })
}

async function checkHasFewSubscribers(db: Queryable, channelId: number): Promise<void> {
  const subscribers = await countSubscribers(db, channelId, WILDCARD_FREE_SIZE + 1)
  if (subscribers > WILDCARD_FREE_SIZE) throw new AppError('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
}
