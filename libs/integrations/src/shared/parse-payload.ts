import type { z } from 'zod'
import { PayloadError } from '../kernel/payload-error.ts'

/** What a schema makes of a payload. Throws PayloadError that names the first field in contradiction. */
export function parsePayload<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(payload)
  if (success) return data
  const [issue] = error.issues
  throw new PayloadError(`${issue?.path.map(String).join('.') || 'payload'}: ${issue?.message ?? 'invalid'}`)
}
