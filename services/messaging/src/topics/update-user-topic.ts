import { type endpoints, VisibilityPolicy } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { setVisibility } from './set-visibility.ts'
import { findTopicChannel } from './topic-channel.ts'
import { namedTopic } from './topic-name.rules.ts'

/** Sets how the caller wants to see a topic, which need not have messages. */
export const handleUpdateUserTopic: Handler<typeof endpoints.messaging.updateUserTopic, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { stream_id, visibility_policy: visibility } = input
  const topic = namedTopic(input.topic)
  const isRemoval = visibility === VisibilityPolicy.none
  const channelId = await findTopicChannel(context.db, caller, { id: stream_id }, isRemoval)
  const change = { userId: caller.userId, visibility }
  const cause = { realmId: caller.realmId, requestId }
  await inTransaction(context.db, (tx) => setVisibility(tx, context, { channelId, topic }, [change], cause))
  context.relay.wake()
  return {}
}
