import { ignored, message, type Outcome } from '../../kernel/integration.ts'
import { inline, sentence } from '../../shared/markdown.ts'
import { changesOf } from './changes.ts'
import { money } from './money.ts'
import { pageOf, type StripeObject, type StripePayload } from './payloads.ts'

type Handler = (payload: StripePayload, about: StripeObject) => { topic: string; content: string } | null

const last = (type: string): string => spaced(type.slice(type.lastIndexOf('.') + 1))
const spaced = (text: string): string => text.replaceAll('_', ' ')

const charge: Handler = (payload, about) => {
  const verb = last(payload.type)
  const head = `${pageOf('Charge', 'payments', about.id, payload)} for ${money(about.amount, about.currency)} ${verb}`
  const failure = about.failure_code === '' ? '' : `. Failure code: ${inline(about.failure_code)}`
  const refunded = verb === 'refunded' ? ` (${money(about.amount_refunded, about.currency)})` : ''
  return { topic: about.customer || 'charges', content: head + refunded + failure }
}

const dispute: Handler = (payload, about) => {
  const verb = last(payload.type)
  const sum = money(about.amount, about.currency)
  const head = `${pageOf('Dispute', 'disputes', about.id, payload)} of ${pageOf('a charge', 'payments', about.charge, payload)} for ${sum} ${verb}.`
  return {
    topic: 'disputes',
    content: `${head} Current status: ${inline(spaced(about.status || 'unknown'))}.`,
  }
}

const refund: Handler = (payload, about) => {
  const of = pageOf('charge', 'payments', about.charge, payload)
  const content = `A ${pageOf('refund', 'refunds', about.id, payload)} for a ${of} of ${money(about.amount, about.currency)} was updated.`
  return { topic: 'refunds', content }
}

const customer: Handler = (payload, about) => {
  const verb = last(payload.type)
  const name = about.name || about.email
  const head = `${pageOf('Customer', 'customers', about.id, payload)}${name === '' ? '' : ` ${inline(name)}`} ${verb}`
  if (verb === 'updated') return withChanges(payload, about.id, head)
  const email = about.email !== '' && about.email !== name ? `\nEmail: ${inline(about.email)}` : ''
  return { topic: about.id || 'customers', content: head + email }
}

const discount: Handler = (payload, about) => {
  const { coupon } = about
  const off = coupon?.percent_off
    ? `${coupon.percent_off} % off`
    : coupon?.amount_off
      ? `${money(coupon.amount_off, coupon.currency)} off`
      : 'discount'
  const name = coupon?.name || coupon?.id || off
  const content = `Discount created (${pageOf(name === off ? off : `${name}: ${off}`, 'coupons', coupon?.id ?? '', payload)}).`
  return { topic: about.customer || 'customers', content }
}

const SECONDS_OF_DAY = 86_400

const subscription: Handler = (payload, about) => {
  const verb = last(payload.type)
  const topic = about.customer || 'customers'
  const name = pageOf('Subscription', 'subscriptions', about.id, payload)
  if (verb === 'trial will end') {
    const days = Math.max(0, Math.round(((about.trial_end ?? 0) - (payload.created ?? 0)) / SECONDS_OF_DAY))
    return { topic, content: `${name} trial will end in ${days} day${days === 1 ? '' : 's'}` }
  }
  const head = `${name} ${verb}`
  if (verb === 'updated') return withChanges(payload, topic, head)
  return verb === 'created'
    ? { topic, content: [head, ...planLines(payload, about)].join('\n') }
    : { topic, content: head }
}

function planLines(payload: StripePayload, about: StripeObject): string[] {
  const item = about.items?.data[0]
  const plan = about.plan ?? item?.plan ?? item?.price
  const [name, quantity] = [plan?.nickname || plan?.name || plan?.id || '', about.quantity ?? item?.quantity]
  return [
    ...(name === '' ? [] : [`Plan: ${pageOf(name, 'plans', plan?.id ?? '', payload)}`]),
    ...(typeof quantity === 'number' ? [`Quantity: ${quantity}`] : []),
  ]
}

const invoice: Handler = (payload, about) => {
  const topic = about.customer || 'invoices'
  const name = pageOf('Invoice', 'invoices', about.id, payload)
  const sums = [
    `Total: ${money(about.total, about.currency)}`,
    `Amount due: ${money(about.amount_due, about.currency)}`,
  ]
  switch (payload.type) {
    case 'invoice.created': {
      const reason = about.billing_reason === '' ? '' : ` (${inline(spaced(about.billing_reason))})`
      return { topic, content: [`${name} created${reason}`, ...sums].join('\n') }
    }
    case 'invoice.payment_failed':
      return { topic, content: [`${name} could not be paid`, sums[1]].join('\n') }
    default:
      return about.paid === true && payload.data.previous_attributes?.['paid'] === false
        ? { topic, content: `${name} is now paid` }
        : withChanges(payload, topic, `${name} updated`)
  }
}

const invoiceItem: Handler = (payload, about) => {
  const head = `${pageOf('Invoice item', 'invoiceitems', about.id, payload)} created for ${money(about.amount, about.currency)}`
  const described = about.description === '' ? '' : `: ${sentence(inline(about.description))}`
  return { topic: about.customer || 'invoices', content: head + described }
}

/** Null if nothing has changed that anybody reads. */
function withChanges(payload: StripePayload, topic: string, head: string) {
  const changes = changesOf(payload)
  return changes.length === 0 ? null : { topic, content: [head, ...changes].join('\n') }
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...['charge.succeeded', 'charge.failed', 'charge.refunded'].map((type) => [type, charge] as const),
  ...['charge.dispute.created', 'charge.dispute.closed'].map((type) => [type, dispute] as const),
  ['charge.refund.updated', refund],
  ...['customer.created', 'customer.updated', 'customer.deleted'].map((type) => [type, customer] as const),
  ['customer.discount.created', discount],
  ...['created', 'updated', 'deleted', 'trial_will_end'].map(
    (verb) => [`customer.subscription.${verb}`, subscription] as const,
  ),
  ...['created', 'updated', 'payment_failed'].map((verb) => [`invoice.${verb}`, invoice] as const),
  ['invoiceitem.created', invoiceItem],
])

export const stripeEvents: readonly string[] = [...HANDLERS.keys()]

/** Null if the event isn't known. */
export function stripeOutcome(payload: StripePayload): Outcome | null {
  const handler = HANDLERS.get(payload.type)
  if (!handler) return null
  const made = handler(payload, payload.data.object)
  return made ? message(payload.type, made.topic, made.content) : ignored
}
