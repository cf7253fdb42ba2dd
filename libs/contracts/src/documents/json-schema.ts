import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** A JSON Schema (draft 2020-12), or any other part of a document. */
export type JsonObject = { [key: string]: unknown }

/** Where documents have the schemas that have a name, which others refer to. */
const PLACE = '#/components/schemas/'

/** What a sender may send. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/** What a receiver gets. Fields may be added at any time, so none is excluded. */
export function outputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

/** The same for a document that has `namedSchemas`, to which it refers. */
export function outputReferring(schema: z.ZodType): JsonObject {
  const { $defs: _, ...own } = withNames(schema)
  return referring(own)
}

/** Everything in these schemas that has a name, by that name, for the `components` of a document. */
export function namedSchemas(schemas: readonly z.ZodType[]): JsonObject {
  // In a list, what has a name is referred to, so that it is among the definitions itself.
  const named = schemas.map((schema) => withNames(z.array(schema))['$defs'] as JsonObject | undefined)
  return referring(Object.assign({}, ...named) as JsonObject)
}

/** All that schemas say of themselves, and the names of those that have one. */
class NamingRegistry extends z.core.$ZodRegistry<z.core.JSONSchemaMeta> {
  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<z.core.JSONSchemaMeta, S> {
    const id = schemaNames.get(schema)
    return { ...z.globalRegistry.get(schema), ...(id === undefined ? {} : { id }) }
  }
}

function withNames(schema: z.ZodType): JsonObject {
  const metadata = new NamingRegistry()
  return tidy(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', metadata }) as JsonObject)
}

function referring<T>(part: T): T {
  if (Array.isArray(part)) return part.map(referring) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) =>
    key === '$ref' ? [key, String(value).replace('#/$defs/', PLACE)] : [key, referring(value)],
  )
  return Object.fromEntries(entries) as T
}

/** Leaves out what is the same everywhere: the dialect, closed objects, the range of safe integers. */
function tidy<T>(part: T): T {
  if (Array.isArray(part)) return part.map(tidy) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(
    ([key, value]) =>
      key !== '$schema' &&
      // The name, where there is one.
      !(key === 'id' && typeof value === 'string') &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)])) as T
}
