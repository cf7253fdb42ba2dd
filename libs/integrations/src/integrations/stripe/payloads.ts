import { z } from 'zod'
import { listOf, text } from '../../shared/fields.ts'
import { link } from '../../shared/markdown.ts'

const amount = z.number().nullish()
/** An object that may be there as its ID alone. */
const reference = z
  .union([z.string(), z.looseObject({ id: text })])
  .nullish()
  .transform((value) => (typeof value === 'string' ? value : (value?.id ?? '')))

const plan = z.looseObject({ id: text, nickname: text, name: text }).nullish()

/** The object of an event: its fields differ by kind, and none is sure. */
export const stripeObject = z.looseObject({
  id: text,
  object: text,
  customer: reference,
  amount,
  currency: text,
  charge: reference,
  failure_code: text,
  amount_refunded: amount,
  status: text,
  email: text,
  name: text,
  description: text,
  plan,
  quantity: amount,
  items: z.looseObject({ data: listOf(z.looseObject({ plan, price: plan, quantity: amount })) }).nullish(),
  trial_end: amount,
  coupon: z
    .looseObject({ id: text, name: text, percent_off: amount, amount_off: amount, currency: text })
    .nullish(),
  subscription: reference,
  total: amount,
  amount_due: amount,
  billing_reason: text,
  paid: z.boolean().nullish(),
  due_date: amount,
})

export const stripePayload = z.looseObject({
  id: text,
  type: z.string(),
  created: amount,
  livemode: z.boolean().nullish(),
  data: z.looseObject({
    object: stripeObject,
    previous_attributes: z.record(z.string(), z.unknown()).nullish(),
  }),
})
export type StripePayload = z.output<typeof stripePayload>
export type StripeObject = z.output<typeof stripeObject>

/** A link to a page of the dashboard; what was made for tests has its own. */
export const pageOf = (
  label: string,
  kind: string,
  id: string,
  { livemode }: Pick<StripePayload, 'livemode'>,
): string => {
  const path = `${livemode === false ? 'test/' : ''}${kind}/${encodeURIComponent(id.toWellFormed())}`
  return link(label, id === '' ? null : `https://dashboard.stripe.com/${path}`)
}
