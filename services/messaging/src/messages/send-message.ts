import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { isChannelType } from './addressee.rules.ts'
import { sendDirectMessage } from './send-direct-message.ts'
import { sendToChannel } from './send-to-channel.ts'
import { checkEcho } from './sending.rules.ts'

/** Sends a message. Sending the same again makes a second message. */
export const handleSendMessage: Handler<typeof endpoints.messaging.sendMessage, Context> = async (
  request,
) => {
  const { input, context } = request
  checkEcho(input.queue_id, input.local_id)
  const id = isChannelType(input.type) ? await sendToChannel(request) : await sendDirectMessage(request)
  context.relay.wake()
  return { id }
}
