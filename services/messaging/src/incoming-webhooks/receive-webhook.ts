import { buffer } from 'node:stream/consumers'
import { AppError, type EndpointOutput, endpoints, gatewayHeaders, maxBodyBytesOf } from '@tms/contracts'
import { type AnyIntegration, decodeAgain, findIntegration } from '@tms/integrations'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { acceptDelivery } from './accept-delivery.ts'

type Endpoint = typeof endpoints.messaging.receiveWebhook

const MAX_BYTES = maxBodyBytesOf(endpoints.messaging.receiveWebhook)

/**
 * Posts what another program sends as messages of the bot whose key is in the address. Throws NO_SUCH_OBJECT for an
 * unknown integration, and what keeps a payload from being posted; a channel that doesn't exist is a success, because
 * the sender can't help it.
 */
export const handleReceiveWebhook: Handler<Endpoint, Context> = async (request) => {
  const { input, caller, context, headers, requestId, log, receiveBytes, otherParameters } = request
  const integration = findIntegration(input.integration)
  if (!integration)
    throw new AppError('NO_SUCH_OBJECT', { message: `There is no integration '${input.integration}'` })
  const body = await receiveBytes(MAX_BYTES, buffer)
  const overLimit = headers[gatewayHeaders.overCallLimit]
  const { bot, error, unsupported } = await acceptDelivery(
    context,
    {
      ...{ integration, caller, headers, body, requestId, log },
      name: null,
      address: {
        stream: decodeAgain(integration, input.stream ?? '') || null,
        topic: input.topic === undefined ? null : decodeAgain(integration, input.topic),
        onlyEvents: input.only_events ?? null,
        excludeEvents: input.exclude_events ?? null,
        secret: input.webhook_secret ?? null,
        others: otherParameters,
      },
    },
    overLimit === undefined ? null : Number(overLimit),
  )
  if (error) throw error
  const answer = answerOf(integration, bot)
  if (unsupported === null) return answer
  const code = 'UNSUPPORTED_WEBHOOK_EVENT_TYPE' as const
  return { ...answer, code, webhook_name: integration.name, event_type: unsupported }
}

function answerOf({ answer }: AnyIntegration, bot: KnownUser): EndpointOutput<Endpoint> {
  switch (answer) {
    case 'envelope':
      return {}
    case 'ok':
      return { ok: true }
    case 'bot':
      return { id: bot.user_id, full_name: bot.full_name, email: bot.email }
  }
}
