import type { endpoints } from '@tms/contracts'
import { AppError } from '@tms/contracts'
import { findIntegration, PayloadError, receive } from '@tms/integrations'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { errorOf, refusalOf } from './delivery.rules.ts'

const INTEGRATION = 'json'

/**
 * Makes of a payload what an address with these templates would. Throws INVALID_JSON for a payload that isn't JSON, and
 * BAD_REQUEST for one that is no object and for a template that is wrong, saying where.
 */
export const handleRenderWebhookTemplate: Handler<
  typeof endpoints.messaging.renderWebhookTemplate,
  Context
> = async ({ input, context }) => {
  const templates = Object.entries({ topic_template: input.topic_template, template: input.template })
  const query = Object.fromEntries(templates.filter((each): each is [string, string] => Boolean(each[1])))
  const received = receiveJson(input.payload, query, context.now())
  const error = refusalOf(received)
  if (error) throw error
  const [message] = received.kind === 'messages' ? received.messages : []
  return {
    message: message ? { topic: message.topic, content: message.content } : null,
    address_parameters: new URLSearchParams(query).toString(),
  }
}

function receiveJson(
  payload: string,
  query: Readonly<Record<string, string>>,
  now: Date,
): ReturnType<typeof receive> {
  const integration = findIntegration(INTEGRATION)
  if (!integration) throw new AppError('NO_SUCH_OBJECT')
  try {
    return receive(integration, {
      ...{ body: Buffer.from(payload), headers: {}, query, hasTopic: false, secret: null, now },
      filter: { onlyEvents: null, excludeEvents: null },
    })
  } catch (err) {
    throw err instanceof PayloadError ? errorOf(err, INTEGRATION) : err
  }
}
