import { type endpoints, VisibilityPolicy } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { lockRecipient } from '../messages/store-message.queries.ts'
import { checkPolicyRoom } from './policy-room.rules.ts'
import { setVisibility } from './set-visibility.ts'
import { type ChannelReference, findTopicChannel } from './topic-channel.ts'
import { namedTopic } from './topic-name.rules.ts'
import { countPolicies, hasVisibility, lockVisibility } from './user-topic.queries.ts'

type Request = Parameters<Handler<typeof endpoints.messaging.updateUserTopic, Context>>[0]

interface Wanted {
  readonly reference: ChannelReference
  readonly topic: string
  readonly visibility: VisibilityPolicy
}

/** Sets how the caller wants to see a topic, which need not have messages, and tells the caller's clients. Throws BAD_REQUEST. */
export async function setOwnVisibility(
  { caller, context, requestId }: Pick<Request, 'caller' | 'context' | 'requestId'>,
  wanted: Wanted,
): Promise<void> {
  const { visibility } = wanted
  const topic = namedTopic(wanted.topic)
  const isRemoval = visibility === VisibilityPolicy.none
  const channel = await findTopicChannel(context.db, caller, wanted.reference, isRemoval)
  const place = { channelId: channel.id, topic }
  // Nobody need wait for what changes nothing.
  if (isRemoval && !(await hasVisibility(context.db, caller.userId, place))) return
  const change = { userId: caller.userId, visibility }
  const cause = { realmId: caller.realmId, requestId }
  await inTransaction(context.db, async (tx) => {
    await lockRecipient(tx, channel.recipientId)
    if (!isRemoval) {
      await lockVisibility(tx, caller.realmId, [caller.userId])
      checkPolicyRoom(await countPolicies(tx, caller.userId, place), visibility)
    }
    await setVisibility(tx, context, place, [change], cause)
  })
  context.relay.wake()
}
