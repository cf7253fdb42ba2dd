import { badRequest, type endpoints, VisibilityPolicy } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'
import { setOwnVisibility } from './set-own-visibility.ts'

/** Mutes a topic or removes its policy, as older clients do. */
export const handleMuteTopic: Handler<typeof endpoints.messaging.muteTopic, Context> = async ({
  input,
  ...request
}) => {
  const visibility = input.op === 'remove' ? VisibilityPolicy.none : VisibilityPolicy.muted
  await setOwnVisibility(request, { reference: referenceOf(input), topic: input.topic, visibility })
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
