import type { z } from 'zod'
import { PayloadError } from '../kernel/payload-error.ts'

/** What a schema makes of a payload. Throws PayloadError that names the first field in contradiction. */
export function parsePayload<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(payload)
  if (success) return data
  const [issue] = error.issues
  throw new PayloadError(`${issue?.path.map(String).join('.') || 'payload'}: ${reasonOf(issue, payload)}`)
}

/** What is wrong with a field, in the words of JSON: who reads it knows the sender, and not what checks its payload. */
function reasonOf(issue: z.core.$ZodIssue | undefined, payload: unknown): string {
  const value = (issue?.path ?? []).reduce<unknown>(
    (parent, key) => (parent as Record<PropertyKey, unknown> | null | undefined)?.[key],
    payload,
  )
  if (value === undefined) return 'missing'
  const expected = issue?.code === 'invalid_type' ? KINDS.get(issue.expected) : undefined
  if (expected === undefined) return `not expected here: ${kindOf(value)}`
  return `not ${expected} but ${kindOf(value)}`
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a JSON object'],
  ['record', 'a JSON object'],
])

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'a text'
    case 'number':
      return 'a number'
    case 'boolean':
      return String(value)
    default:
      return 'an object'
  }
}
