import { AppError } from '@tms/contracts'
import { type IntegrationMessage, PayloadError, receive } from '@tms/integrations'
import type { ArrivedDelivery } from './arrived-delivery.ts'
import { type DeliveryOutcome, errorOf, failed, refusalOf } from './delivery.rules.ts'

/** What a delivery means: messages to post, or the outcome if there are none. */
export type ReadDelivery =
  | { readonly messages: readonly IntegrationMessage[]; readonly deliveryId: string | null }
  | { readonly messages: null; readonly outcome: DeliveryOutcome }

/** Makes messages of what arrived. */
export function readDelivery(
  { integration, address, headers, body, log }: ArrivedDelivery,
  now: Date,
): ReadDelivery {
  let received: ReturnType<typeof receive>
  try {
    received = receive(integration, {
      ...{ body, headers, hasTopic: address.topic !== null, secret: address.secret, now },
      filter: address,
      query: address.others,
    })
  } catch (err) {
    if (err instanceof PayloadError) return nothing(failed(errorOf(err, integration.name)))
    // A defect of the integration, which must not make the sender give up or repeat for ever.
    log.error({ err, integration: integration.name }, 'integration failed')
    return nothing(
      failed(new AppError('ANOMALOUS_WEBHOOK_PAYLOAD', { details: { webhook_name: integration.name } })),
    )
  }
  const refusal = refusalOf(received)
  if (refusal) return nothing(failed(refusal))
  const ended = { error: null, isNoFault: false, messageIds: [] }
  if (received.kind === 'unsupported')
    return nothing({ ...ended, outcome: 'unsupported', unsupported: received.event })
  const { messages, deliveryId } =
    received.kind === 'messages' ? received : { messages: [], deliveryId: null }
  return messages.length > 0
    ? { messages, deliveryId }
    : nothing({ ...ended, outcome: 'filtered', unsupported: null })
}

const nothing = (outcome: DeliveryOutcome): ReadDelivery => ({ messages: null, outcome })
