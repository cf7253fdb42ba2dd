import { badRequest, type endpoints, VisibilityPolicy } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { setVisibility } from './set-visibility.ts'
import { type ChannelReference, findTopicChannel } from './topic-channel.ts'
import { namedTopic } from './topic-name.rules.ts'

/** Mutes a topic or takes away what was set, as older clients do. */
export const handleMuteTopic: Handler<typeof endpoints.messaging.muteTopic, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const topic = namedTopic(input.topic)
  const isRemoval = input.op === 'remove'
  const channelId = await findTopicChannel(context.db, caller, referenceOf(input), isRemoval)
  const visibility = isRemoval ? VisibilityPolicy.none : VisibilityPolicy.muted
  const change = { userId: caller.userId, visibility }
  const cause = { realmId: caller.realmId, requestId }
  await inTransaction(context.db, (tx) => setVisibility(tx, context, { channelId, topic }, [change], cause))
  context.relay.wake()
  return {}
}

function referenceOf({
  stream_id,
  stream,
}: {
  stream_id?: number | undefined
  stream?: string | undefined
}): ChannelReference {
  if (stream_id !== undefined && stream !== undefined) {
    throw badRequest("Please choose one: 'stream' or 'stream_id'.")
  }
  if (stream_id !== undefined) return { id: stream_id }
  if (stream !== undefined) return { name: stream }
  throw badRequest("Please supply 'stream'.")
}
