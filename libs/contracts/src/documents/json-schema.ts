import { z } from 'zod'

/** A JSON Schema (draft 2020-12), or any other part of a document. */
export type JsonObject = { [key: string]: unknown }

/** What a sender may send. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/** What a receiver gets. Fields may be added at any time, so none is excluded. */
export function outputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

/** Leaves out what is the same everywhere: the dialect, closed objects, the range of safe integers. */
function tidy<T>(part: T): T {
  if (Array.isArray(part)) return part.map(tidy) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(
    ([key, value]) =>
      key !== '$schema' &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)])) as T
}
