import { type Document, isDocument } from './schema.rules.ts'
import { invalidValue } from './scim-errors.ts'

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const DEFAULT_COUNT = 50
export const MAX_COUNT = 500

/** Which part of a list is answered, and of it which attributes. */
export interface ListQuery {
  readonly filter: string | null
  /** From 1. */
  readonly startIndex: number
  readonly count: number
  readonly selection: Selection
}

/** Attributes to answer alone, or not at all; both in lower case. */
export interface Selection {
  readonly only: readonly string[] | null
  readonly without: readonly string[]
}

/** The query of a list, from a URL or a search request. Throws invalidValue. */
export function readListQuery(parameters: Document): ListQuery {
  const { filter } = parameters
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw invalidValue("'filter' must be a text")
  return {
    filter: filter?.trim() ? filter : null,
    startIndex: Math.max(1, readNumber(parameters, 'startIndex') ?? 1),
    count: Math.min(MAX_COUNT, Math.max(0, readNumber(parameters, 'count') ?? DEFAULT_COUNT)),
    selection: readSelection(parameters),
  }
}

export function readSelection({ attributes, excludedAttributes }: Document): Selection {
  const only = readNames('attributes', attributes)
  return { only: only.length > 0 ? only : null, without: readNames('excludedAttributes', excludedAttributes) }
}

function readNumber(parameters: Document, name: string): number | null {
  const value = parameters[name]
  if (value === undefined || value === null || value === '') return null
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text))
    throw invalidValue(`'${name}' must be a whole number`)
  return Number(text)
}

/** A list, or a text with commas. */
function readNames(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [null]
  return list.flatMap((one) => {
    if (typeof one !== 'string') throw invalidValue(`'${name}' must be names of attributes`)
    const text = one.trim().toLowerCase()
    // The URN of a schema ends in its last colon.
    return text === '' ? [] : [text.slice(text.lastIndexOf(':') + 1)]
  })
}

/** A list of resources, or of a part of them. */
export function listAnswer(
  resources: readonly Document[],
  { startIndex, total }: { readonly startIndex: number; readonly total: number },
): Document {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id'])

/** The attributes of a resource that were asked for. */
export function select(resource: Document, { only, without }: Selection): Document {
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const key = name.toLowerCase()
    if (ALWAYS.has(key)) return [[name, value]]
    if (only) {
      if (only.includes(key)) return [[name, value]]
      const parts = only.filter((one) => one.startsWith(`${key}.`)).map((one) => one.slice(key.length + 1))
      return parts.length > 0 ? [[name, keepParts(value, (part) => parts.includes(part))]] : []
    }
    if (without.includes(key)) return []
    const parts = without.filter((one) => one.startsWith(`${key}.`)).map((one) => one.slice(key.length + 1))
    return [[name, parts.length > 0 ? keepParts(value, (part) => !parts.includes(part)) : value]]
  })
  return Object.fromEntries(entries)
}

function keepParts(value: unknown, keeps: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => keepParts(one, keeps))
  if (!isDocument(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keeps(name.toLowerCase())))
}
