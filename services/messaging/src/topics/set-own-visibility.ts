import { type endpoints, VisibilityPolicy } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockRecipient } from '../kernel/locks/recipient-locks.queries.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'
import { checkPolicyLimit } from './policy-limit.rules.ts'
import { setVisibility } from './set-visibility.ts'
import { getTopicChannel } from './topic-channel.ts'
import { parseTopicName } from './topic-name.rules.ts'
import { countPolicies, hasVisibility, lockVisibility } from './user-topic.queries.ts'

type Request = Parameters<Handler<typeof endpoints.messaging.updateUserTopic, Context>>[0]

interface RequestedPolicy {
  readonly reference: ChannelReference
  readonly topic: string
  readonly visibility: VisibilityPolicy
}

/**
 * Sets the caller's visibility policy for a topic, which needs no messages, and publishes it. Throws BAD_REQUEST.
 */
export async function setOwnVisibility(
  { caller, context, requestId }: Pick<Request, 'caller' | 'context' | 'requestId'>,
  requested: RequestedPolicy,
): Promise<void> {
  const { visibility } = requested
  const topic = parseTopicName(requested.topic)
  const isRemoval = visibility === VisibilityPolicy.none
  const channel = await getTopicChannel(context.db, caller, requested.reference, isRemoval)
  const topicRef = { channelId: channel.id, topic }
  // A removal without effect needs no lock.
  if (isRemoval && !(await hasVisibility(context.db, caller.userId, topicRef))) return
  const change = { userId: caller.userId, visibility }
  const cause = { realmId: caller.realmId, requestId }
  await transact(context.db, async (tx) => {
    await lockRecipient(tx, channel.recipientId)
    if (!isRemoval) {
      await lockVisibility(tx, caller.realmId, [caller.userId])
      checkPolicyLimit(await countPolicies(tx, caller.userId, topicRef), visibility)
    }
    await setVisibility(tx, context, topicRef, [change], cause)
  })
}
