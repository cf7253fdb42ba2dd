import { type Filter, matches, parseElementFilter } from './filter.rules.ts'
import {
  type Attribute,
  attributesOf,
  coerce,
  type Document,
  findAttribute,
  isDocument,
  type Schema,
  withoutSchema,
} from './schema.rules.ts'
import { immutable, invalidPath, invalidSyntax, invalidValue, noTarget } from './scim-errors.ts'

const MAX_OPERATIONS = 1_000
/**
 * Elements of lists that the operations of a request may go through, all together: more would hold up other requests. A filter
 * other than by ID costs as many steps as `FILTER_STEPS` for each.
 */
const MAX_STEPS = 20_000_000
const FILTER_STEPS = 10
const PATH = /^(?<name>[A-Za-z$][\w$-]*)(?:\[(?<filter>.*)\])?(?:\.(?<part>[A-Za-z$][\w$-]*))?$/s

/** What an operation changes: an attribute, elements of a list, or a part of these. */
interface Target {
  readonly attribute: Attribute
  readonly filter: Filter | null
  readonly part: Attribute | null
}

export interface Operation {
  readonly kind: 'add' | 'remove' | 'replace'
  readonly target: Target
  /** As the attribute or its part takes it; null for none. */
  readonly value: unknown
}

/**
 * The operations of a PATCH (RFC 7644, 3.5.2). Attributes that the schema doesn't have are left out, since provisioning
 * systems send many by default. Throws invalidSyntax, invalidPath, invalidValue, mutability or invalidFilter.
 */
export function readOperations(body: Document, schema: Schema): Operation[] {
  const { Operations: list } = foldOperations(body)
  if (!Array.isArray(list) || list.length === 0)
    throw invalidSyntax("'Operations' must be a list with operations")
  if (list.length > MAX_OPERATIONS) throw invalidValue(`A request has at most ${MAX_OPERATIONS} operations`)
  return list.flatMap((one: unknown) => readOperation(one, schema))
}

/** Some systems write `operations`. */
function foldOperations(body: Document): { Operations: unknown } {
  const entry = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')
  return { Operations: entry?.[1] }
}

function readOperation(one: unknown, schema: Schema): Operation[] {
  if (!isDocument(one)) throw invalidSyntax('An operation must be an object')
  const { op, path, value } = one
  const kind = typeof op === 'string' ? op.toLowerCase() : ''
  if (kind !== 'add' && kind !== 'remove' && kind !== 'replace')
    throw invalidSyntax("'op' must be 'add', 'remove' or 'replace'")
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw invalidPath("'path' must be a text")
  if (typeof path === 'string' && path !== '') {
    const target = readPath(path, schema)
    if (target?.attribute.mutability === 'readOnly')
      throw immutable(`'${target.attribute.name}' cannot be changed`)
    return target ? [operationOn(kind, target, value)] : []
  }
  if (kind === 'remove') throw noTarget("'remove' needs a 'path'")
  if (!isDocument(value)) throw invalidValue("Without a 'path', 'value' must be an object")
  return Object.entries(value).flatMap(([name, part]) => {
    const target = readPath(name, schema)
    // Okta repeats the ID.
    return target && target.attribute.mutability !== 'readOnly' ? [operationOn(kind, target, part)] : []
  })
}

/** Null for an attribute that the schema doesn't have. */
function readPath(path: string, schema: Schema): Target | null {
  const own = withoutSchema(schema, path.trim())
  if (own === null) return null
  const groups = PATH.exec(own)?.groups
  if (!groups) throw invalidPath(`'${path.slice(0, 100)}' is no path of an attribute`)
  const { name = '', filter, part } = groups
  const attribute = findAttribute(attributesOf(schema), name)
  if (!attribute) return null
  if (filter !== undefined && !attribute.multiValued) throw invalidPath(`'${attribute.name}' is no list`)
  const sub = part === undefined ? null : findAttribute(attribute.subAttributes ?? [], part)
  if (part !== undefined && !sub) return null
  return { attribute, filter: filter === undefined ? null : parseElementFilter(filter, attribute), part: sub }
}

function operationOn(kind: Operation['kind'], target: Target, value: unknown): Operation {
  const { attribute, filter, part } = target
  if (kind === 'remove' && value === undefined) return { kind, target, value: null }
  const single = filter && !part ? { ...attribute, multiValued: false } : (part ?? attribute)
  const coerced = coerce(single, value)
  if (kind === 'add' && coerced === null) throw invalidValue("'add' needs a 'value'")
  return { kind, target, value: coerced }
}

/** The resource after the operations. Throws noTarget, mutability, or invalidValue for too much work. */
export function applyOperations(document: Document, operations: readonly Operation[]): Document {
  let steps = 0
  return operations.reduce((before, operation) => {
    const { attribute, filter } = operation.target
    const { name, required } = attribute
    const stepsOfEach = filter && !valueOfSimple(filter) ? FILTER_STEPS : 1
    steps += lengthOf(before[name]) * stepsOfEach + lengthOf(operation.value)
    if (steps > MAX_STEPS) throw invalidValue('The operations are too many for so long a list')
    const value = valueAfter(before[name], operation)
    if (required && value === null) throw immutable(`'${name}' cannot be removed`)
    return { ...before, [name]: value }
  }, document)
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1)

/** The attribute's value after an operation; null for none. */
function valueAfter(before: unknown, { kind, target, value }: Operation): unknown {
  const { attribute, filter, part } = target
  const removed = kind === 'remove' || value === null
  if (!attribute.multiValued) {
    if (attribute.type !== 'complex') return removed ? null : value
    const parts = isDocument(before) ? before : {}
    if (part) return { ...parts, [part.name]: removed ? null : value }
    if (removed) return null
    return kind === 'add' ? { ...parts, ...(value as Document) } : value
  }
  const elements = Array.isArray(before) ? (before as Document[]) : []
  if (filter) return elementsAfter(elements, { kind, filter, part, value })
  if (part) return elements.map((element) => ({ ...element, [part.name]: removed ? null : value }))
  if (kind === 'remove') return value === null ? [] : without(elements, value as Document[])
  if (value === null) return []
  return kind === 'add' ? joined(elements, value as Document[]) : value
}

function elementsAfter(
  elements: readonly Document[],
  {
    kind,
    filter,
    part,
    value,
  }: { kind: Operation['kind']; filter: Filter; part: Attribute | null; value: unknown },
): Document[] {
  const isMeant = testOf(filter)
  if (kind === 'remove' && !part) return elements.filter((element) => !isMeant(element))
  const change: Document = part
    ? { [part.name]: kind === 'remove' ? null : value }
    : ((value ?? {}) as Document)
  if (elements.some(isMeant))
    return elements.map((element) => (isMeant(element) ? { ...element, ...change } : element))
  if (kind === 'remove') return [...elements]
  // Microsoft Entra adds to an element that isn't there yet.
  const begun = elementOf(filter)
  if (begun === null) throw noTarget('No element is as the filter of the path says')
  return [...elements, { ...begun, ...change }]
}

/** The usual filter, by the ID of a member, is fast: groups have thousands, and requests many operations. */
function testOf(filter: Filter): (element: Document) => boolean {
  const simple = valueOfSimple(filter)
  return simple ? (element) => element[simple.name] === simple.value : (element) => matches(filter, element)
}

/** The attribute that a filter compares, and with what, if it is an exact comparison of one; otherwise null. */
function valueOfSimple(filter: Filter): { readonly name: string; readonly value: unknown } | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return null
  const [attribute, ...others] = filter.path ?? []
  return attribute?.caseExact && others.length === 0 ? { name: attribute.name, value: filter.value } : null
}

/** The element that a filter of equalities describes; null for any other filter. */
function elementOf(filter: Filter): Document | null {
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path?.length === 1)
    return { [filter.path[0]?.name ?? '']: filter.value }
  if (filter.kind !== 'and') return null
  const parts = filter.filters.map(elementOf)
  return parts.includes(null) ? null : Object.assign({}, ...parts)
}

const keyOf = (element: Document): unknown => element['value']

function without(elements: readonly Document[], removed: readonly Document[]): Document[] {
  const keys = new Set(removed.map(keyOf))
  return elements.filter((element) => !keys.has(keyOf(element)))
}

/** A new primary element is the only one. */
function joined(elements: readonly Document[], added: readonly Document[]): Document[] {
  const keys = new Set(added.map(keyOf))
  const others = elements.filter((element) => !keys.has(keyOf(element)))
  const hasPrimary = added.some((element) => element['primary'] === true)
  return [...(hasPrimary ? others.map((element) => ({ ...element, primary: false })) : others), ...added]
}
