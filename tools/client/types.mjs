// Generates TypeScript types from JSON schemas.

/** Exported types of values that the server returns, one per schema. */
export function generateAnswerTypes(schemas, compile) {
  return generateTypes(translateKeywords(schemas), compile)
}

/** Exported types of values that callers pass: lists may be readonly, and optional properties undefined. */
export async function generateParameterTypes(schemas, compile) {
  return makeListsReadonly(await generateTypes(allowUndefined(translateKeywords(schemas)), compile))
}

async function generateTypes($defs, compile) {
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
function translateKeywords(part) {
  if (Array.isArray(part)) return part.map(translateKeywords)
  if (!isObject(part)) return part
  const { prefixItems, propertyNames: _, contentMediaType, ...others } = part
  if (contentMediaType === 'application/octet-stream') return { ...others, tsType: 'Blob' }
  const entries = Object.entries(others).map(([key, value]) =>
    key === '$ref'
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

function allowUndefined(part) {
  if (Array.isArray(part)) return part.map(allowUndefined)
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([key, value]) => [key, allowUndefined(value)])
  const schema = Object.fromEntries(entries)
  if (!isObject(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (schema.required?.includes(name) || !isObject(property)) return [name, property]
    const { description, ...rest } = property
    return [name, { ...(description && { description }), anyOf: [rest, { tsType: 'undefined' }] }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

const isObject = (value) => typeof value === 'object' && value !== null

const OPENING = { '}': '{', ')': '(', ']': '[' }

/** Works from the last list to the first, so that an outer list comes before the lists in it. */
function makeListsReadonly(text) {
  let result = text
  for (let at = result.lastIndexOf('[]'); at > 0; at = result.lastIndexOf('[]', at - 1)) {
    if (!/[\w})\]]/.test(result[at - 1])) continue
    const start = findTypeStart(result, at - 1)
    const element = result.slice(start, at)
    const listed = element.endsWith('[]') ? `(${element})` : element
    result = `${result.slice(0, start)}readonly ${listed}${result.slice(at)}`
    if (listed !== element) at += 'readonly ('.length
  }
  return result
}

/** Finds the start of the type whose last character is at `end`. */
function findTypeStart(text, end) {
  if (text.slice(end - 1, end + 1) === '[]') return findTypeStart(text, end - 2)
  const closing = text[end]
  if (!(closing in OPENING)) return end - /\w+$/.exec(text.slice(0, end + 1))[0].length + 1
  let depth = 0
  for (let at = end; ; at--) {
    if (text[at] === closing) depth++
    else if (text[at] === OPENING[closing] && --depth === 0) return at
  }
}
