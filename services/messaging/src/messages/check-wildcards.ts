import { AppError, type PolicySubject, type RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { countSubscribers, listParticipants } from '../kernel/messages/posting-target.queries.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { mayMentionMany, WILDCARD_FREE_SIZE } from './sending.rules.ts'

interface WildcardCheck {
  readonly senderId: number
  readonly channel: Pick<Channel, 'id' | 'recipientId'>
  readonly topic: string
  readonly rendered: Pick<Rendered, 'mentionsChannelWildcard' | 'mentionsTopicWildcard'>
  readonly realm: Pick<RealmProjection, 'wildcard_mention_policy'>
  readonly policySubject: PolicySubject
}

/**
 * Checks wildcard mentions against the policy of the organization, and returns the users that a topic mention
 * notifies. Without such a mention no query runs; with one the cost is independent of the size of the channel.
 */
export async function checkWildcards(
  db: Queryable,
  { senderId, channel, topic, rendered, realm, policySubject }: WildcardCheck,
): Promise<number[]> {
  const isLimited = !mayMentionMany(realm.wildcard_mention_policy, policySubject)
  if (rendered.mentionsChannelWildcard && isLimited) {
    const subscribers = await countSubscribers(db, channel.id, WILDCARD_FREE_SIZE + 1)
    if (subscribers > WILDCARD_FREE_SIZE) throw new AppError('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  }
  if (!rendered.mentionsTopicWildcard) return []
  const participants = new Set(await listParticipants(db, channel.recipientId, topic)).add(senderId)
  if (isLimited && participants.size > WILDCARD_FREE_SIZE) {
    throw new AppError('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  }
  return [...participants]
}
