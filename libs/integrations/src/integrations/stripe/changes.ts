import { code, inline } from '../../shared/markdown.ts'
import { time } from '../../shared/times.ts'
import { money } from './money.ts'
import type { StripePayload } from './payloads.ts'

/** They change with every change, or say nothing to a reader. */
const LEFT_OUT = new Set([
  'lines',
  'items',
  'metadata',
  'latest_invoice',
  'webhooks_delivered_at',
  'next_payment_attempt',
])
const MAX_CHANGES = 20
/** Fields of times, as far as their names say. */
const TIME = /(_at|_end|_start|_date|_from|_until|^created)$/
const AMOUNT = /^(amount|balance|ending_balance|starting_balance|subtotal|tax|total)(_|$)/
const MAX_VALUE_LENGTH = 200

/** A line for each field that has changed. */
export function changesOf({ data }: StripePayload): string[] {
  const names = Object.keys(data.previous_attributes ?? {}).filter((name) => !LEFT_OUT.has(name))
  return names.slice(0, MAX_CHANGES).map((name) => {
    const value = Object.hasOwn(data.object, name) ? data.object[name] : null
    const field = inline(name.replaceAll('_', ' '))
    return `* ${field.charAt(0).toUpperCase()}${field.slice(1)} is now ${written(name, value, data.object.currency)}`
  })
}

function written(name: string, value: unknown, currency: string): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (typeof value === 'number' && AMOUNT.test(name) && currency !== '') return money(value, currency)
  if (typeof value === 'number' && TIME.test(name)) return time(value) ?? String(value)
  if (typeof value === 'object') return code(JSON.stringify(value).slice(0, MAX_VALUE_LENGTH))
  return inline((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE_LENGTH))
}
