// TypeScript's types of JSON schemas.

/** One exported type of what the server tells for each schema, by its name. */
export function answerTypes(schemas, compile) {
  return typesOf(legible(schemas), compile)
}

/** The same of what callers give: they may give lists that they can't change, and undefined for what they leave out. */
export async function parameterTypes(schemas, compile) {
  return withReadonlyLists(await typesOf(withUndefined(legible(schemas)), compile))
}

async function typesOf($defs, compile) {
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

/** The same schemas in the words that the generator of types knows. */
function legible(part) {
  if (Array.isArray(part)) return part.map(legible)
  if (!isObject(part)) return part
  const { prefixItems, propertyNames: _, contentMediaType, ...others } = part
  if (contentMediaType === 'application/octet-stream') return { ...others, tsType: 'Blob' }
  const entries = Object.entries(others).map(([key, value]) =>
    key === '$ref' ? [key, value.replace('#/components/schemas/', '#/$defs/')] : [key, legible(value)],
  )
  const schema = Object.fromEntries(entries)
  return Array.isArray(prefixItems)
    ? { ...schema, items: legible(prefixItems), minItems: prefixItems.length, maxItems: prefixItems.length }
    : schema
}

function withUndefined(part) {
  if (Array.isArray(part)) return part.map(withUndefined)
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([key, value]) => [key, withUndefined(value)])
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

/** From the last list to the first, so that those in others are met after them. */
function withReadonlyLists(text) {
  let result = text
  for (let at = result.lastIndexOf('[]'); at > 0; at = result.lastIndexOf('[]', at - 1)) {
    if (!/[\w})\]]/.test(result[at - 1])) continue
    const start = startOfType(result, at - 1)
    const element = result.slice(start, at)
    const listed = element.endsWith('[]') ? `(${element})` : element
    result = `${result.slice(0, start)}readonly ${listed}${result.slice(at)}`
    if (listed !== element) at += 'readonly ('.length
  }
  return result
}

/** Where the type begins whose last character is at `end`. */
function startOfType(text, end) {
  if (text.slice(end - 1, end + 1) === '[]') return startOfType(text, end - 2)
  const closing = text[end]
  if (!(closing in OPENING)) return end - /\w+$/.exec(text.slice(0, end + 1))[0].length + 1
  let depth = 0
  for (let at = end; ; at--) {
    if (text[at] === closing) depth++
    else if (text[at] === OPENING[closing] && --depth === 0) return at
  }
}
