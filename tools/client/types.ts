// Generates TypeScript types from JSON schemas.
import type { Schema } from './documents.ts'

/** Compiles a schema to TypeScript: `compile` of json-schema-to-typescript. */
export type Compile = (schema: object, name: string, options: object) => Promise<string>

type Schemas = Record<string, Schema>

/** Exported types of values that the server returns, one per schema. */
export function generateAnswerTypes(schemas: Schemas, compile: Compile): Promise<string> {
  return generateTypes(translateKeywords(schemas), compile)
}

/** Exported types of values that callers pass: lists may be readonly, and optional properties undefined. */
export async function generateParameterTypes(schemas: Schemas, compile: Compile): Promise<string> {
  return makeListsReadonly(await generateTypes(allowUndefined(translateKeywords(schemas)), compile))
}

async function generateTypes($defs: unknown, compile: Compile): Promise<string> {
  const text = await compile({ type: 'object', $defs }, 'AllSchemas', {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true },
  })
  return text
    .replace('export interface AllSchemas {}\n', '')
    .replaceAll(
      /\n? ?\* This interface was referenced by `AllSchemas`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      '\n',
    )
    .replaceAll(/\/\*\*\s*\*\/\n/g, '')
    .replaceAll(/\n \*\n+ \*\//g, '\n */')
}

/** Translates keywords of the schemas to those that the type generator knows. */
function translateKeywords(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(translateKeywords)
  if (!isObject(part)) return part
  const { prefixItems, propertyNames: _, contentMediaType, ...others } = part
  if (contentMediaType === 'application/octet-stream') return { ...others, tsType: 'Blob' }
  const entries = Object.entries(others).map(([key, value]) =>
    key === '$ref' && typeof value === 'string'
      ? [key, value.replace('#/components/schemas/', '#/$defs/')]
      : [key, translateKeywords(value)],
  )
  const schema = Object.fromEntries(entries)
  return Array.isArray(prefixItems)
    ? {
        ...schema,
        items: translateKeywords(prefixItems),
        minItems: prefixItems.length,
        maxItems: prefixItems.length,
      }
    : schema
}

function allowUndefined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(allowUndefined)
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([key, value]) => [key, allowUndefined(value)])
  const schema: Record<string, unknown> = Object.fromEntries(entries)
  if (!isObject(schema.properties)) return schema
  const required: unknown = schema.required
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (isRequired(name) || !isObject(property)) return [name, property]
    const { description, ...rest } = property
    return [
      name,
      { ...(description === undefined ? {} : { description }), anyOf: [rest, { tsType: 'undefined' }] },
    ]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const OPENING: Record<string, string> = { '}': '{', ')': '(', ']': '[' }

/** Works from the last list to the first, so that an outer list comes before the lists in it. */
function makeListsReadonly(text: string): string {
  let result = text
  for (let at = result.lastIndexOf('[]'); at > 0; at = result.lastIndexOf('[]', at - 1)) {
    if (!/[\w})\]]/.test(result.charAt(at - 1))) continue
    const start = findTypeStart(result, at - 1)
    const element = result.slice(start, at)
    const listed = element.endsWith('[]') ? `(${element})` : element
    result = `${result.slice(0, start)}readonly ${listed}${result.slice(at)}`
    if (listed !== element) at += 'readonly ('.length
  }
  return result
}

/** Finds the start of the type whose last character is at `end`. */
function findTypeStart(text: string, end: number): number {
  if (text.slice(end - 1, end + 1) === '[]') return findTypeStart(text, end - 2)
  const closing = text.charAt(end)
  const opening = OPENING[closing]
  if (opening === undefined) return end - (/\w+$/.exec(text.slice(0, end + 1))?.[0].length ?? 0) + 1
  let depth = 0
  for (let at = end; ; at--) {
    if (text[at] === closing) depth++
    else if (text[at] === opening && --depth === 0) return at
  }
}
