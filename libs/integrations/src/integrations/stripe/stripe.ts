import { defineIntegration, ignored, unsupported } from '../../kernel/integration.ts'
import { hmacWithTime } from '../../shared/signatures.ts'
import { stripeEvents, stripeOutcome } from './events.ts'
import { stripePayload } from './payloads.ts'

/** Known, and either said by another event too or about the account rather than its customers. */
const IGNORED =
  /^(account|application_fee|balance|billing_portal|capability|checkout|coupon|file|mandate|payment_intent|payment_link|payment_method|payout|person|plan|price|product|promotion_code|quote|radar|reporting|setup_intent|sigma|sku|source|tax_rate|topup|transfer)\./

export const stripe = defineIntegration({
  name: 'stripe',
  displayName: 'Stripe',
  description: 'Charges, disputes, refunds, customers, subscriptions and invoices.',
  setup: `In Stripe's dashboard, open **Developers**, **Webhooks**, **Add destination**, and choose the events below:

1. **Destination type**: Webhook endpoint
2. **Endpoint URL**: \`{url}\`
3. After saving, the **Signing secret** is the \`webhook_secret\` for the address.`,
  events: stripeEvents,
  signature: hmacWithTime('stripe-signature'),
  payload: stripePayload,
  // Events of the dashboard's test button all have the same ID.
  deliveryId: ({ id }) => (/^evt_0*$/.test(id) ? null : id),
  format: ({ payload }) =>
    stripeOutcome(payload) ?? (IGNORED.test(payload.type) ? ignored : unsupported(payload.type)),
})
