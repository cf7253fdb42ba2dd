import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** A JSON Schema (draft 2020-12), or any other part of a document. */
export type JsonObject = { [key: string]: unknown }

/** Where documents keep named schemas, which others refer to. */
const SCHEMAS_PATH = '#/components/schemas/'

/** Schema of what a sender may send. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/** Schema of what a receiver gets. Fields may be added at any time, so none is excluded. */
export function outputSchema(schema: z.ZodType): JsonObject {
  return tidy(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

/** The same for a document with `namedSchemas`, to which it refers. */
export function outputSchemaWithReferences(schema: z.ZodType): JsonObject {
  const { $defs: _, ...own } = withNames(schema)
  return withReferences(own)
}

/** All named schemas within these, by name, for the `components` of a document. */
export function namedSchemas(schemas: readonly z.ZodType[]): JsonObject {
  // Within a list a named schema becomes a reference, so that it is among the definitions itself.
  const schemasByName = schemas.map((schema) => withNames(z.array(schema))['$defs'] as JsonObject | undefined)
  return withReferences(Object.assign({}, ...schemasByName) as JsonObject)
}

/** The metadata of schemas, with the names of named ones. */
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

function withReferences<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withReferences) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) =>
    key === '$ref' ? [key, String(value).replace('#/$defs/', SCHEMAS_PATH)] : [key, withReferences(value)],
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
      // The name of a named schema.
      !(key === 'id' && typeof value === 'string') &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)])) as T
}
