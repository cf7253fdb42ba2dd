import { AppError } from '@tms/contracts'
import type { IntegrationMessage } from '@tms/integrations'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { sendOnce } from '../messages/send-message.ts'
import type { SendInput } from '../messages/send-request.ts'
import type { AddressParameters, ArrivedDelivery } from './arrived-delivery.ts'
import { channelReferenceOf } from './channel-reference.ts'
import { type DeliveryOutcome, failed, idempotencyKeyOf } from './delivery.rules.ts'

/** Sends the messages of a delivery as the bot, up to the first that is refused. Throws if a server is unavailable. */
export async function postMessages(
  context: Context,
  arrived: ArrivedDelivery,
  bot: KnownUser,
  messages: readonly IntegrationMessage[],
): Promise<DeliveryOutcome> {
  const messageIds: number[] = []
  for (const [index, message] of messages.entries()) {
    try {
      messageIds.push(await send(context, arrived, bot, message, index))
    } catch (err) {
      if (permanentErrorText(err) === null || !(err instanceof AppError)) throw err
      return { ...failed(err, err.code === 'STREAM_DOES_NOT_EXIST'), messageIds }
    }
  }
  return { outcome: 'posted', error: null, isNoFault: false, unsupported: null, messageIds }
}

/** Sends one message, to the channel of the address or to the bot's owner. Returns its ID. */
async function send(
  context: Context,
  { integration, caller, address, name, requestId }: ArrivedDelivery,
  bot: KnownUser,
  message: IntegrationMessage,
  index: number,
): Promise<number> {
  const { id } = await sendOnce(context, {
    sender: caller,
    input: { ...targetOf(address, bot, message), content: message.content },
    echo: null,
    client: `${integration.displayName.replace(/\W/g, '')}Webhook`,
    requestId,
    idempotencyKey: name && idempotencyKeyOf(integration.name, name, index),
    hook: null,
  })
  return id
}

function targetOf(
  { stream, topic }: AddressParameters,
  bot: KnownUser,
  message: IntegrationMessage,
): Pick<SendInput, 'type' | 'to' | 'topic'> {
  if (message.channel !== undefined || stream !== null) {
    const to = message.channel ?? channelOf(stream ?? '')
    return { type: 'channel', to, topic: topic ?? message.topic }
  }
  if (bot.bot_owner_id === null)
    throw new AppError('REQUEST_VARIABLE_MISSING', {
      message: "Missing 'stream' argument: the account has no owner to write to",
      details: { var_name: 'stream' },
    })
  return { type: 'direct', to: [bot.bot_owner_id] }
}

function channelOf(stream: string): string | number {
  const reference = channelReferenceOf(stream)
  return 'id' in reference ? reference.id : reference.name
}
