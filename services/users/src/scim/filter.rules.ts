import {
  type Attribute,
  attributesOf,
  findAttribute,
  isDocument,
  type Schema,
  toBoolean,
  withoutSchema,
} from './schema.rules.ts'
import { invalidFilter } from './scim-errors.ts'

type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
type Value = string | number | boolean | null

/** Attributes from the resource down to the compared one; null if one of them is unknown. */
type Path = readonly Attribute[] | null

/** A filter (RFC 7644, 3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly path: Path }
  | { readonly kind: 'compare'; readonly path: Path; readonly operator: Operator; readonly value: Value }
  /** One element of a list for which `filter` holds. */
  | { readonly kind: 'element'; readonly path: Path; readonly filter: Filter }

const MAX_LENGTH = 10_000
const MAX_DEPTH = 30
const OPERATORS: ReadonlySet<string> = new Set<Operator>([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
])
const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s)\]]|$)|(?<mark>[()[\].])|(?<word>[A-Za-z$][\w$:.-]*))/sy

interface Token {
  readonly kind: 'text' | 'number' | 'mark' | 'word' | 'end'
  readonly text: string
}

const END: Token = { kind: 'end', text: 'the end' }

/** Throws invalidFilter. */
export function parseFilter(text: string, schema: Schema): Filter {
  return parse(text, { attributes: attributesOf(schema), schema })
}

/** A filter of the elements of a list. Throws invalidFilter. */
export function parseElementFilter(text: string, { subAttributes = [] }: Attribute): Filter {
  return parse(text, { attributes: subAttributes, schema: null })
}

interface Scope {
  readonly attributes: readonly Attribute[]
  readonly schema: Schema | null
}

function parse(text: string, scope: Scope): Filter {
  if (text.length > MAX_LENGTH) throw invalidFilter(`A filter has at most ${MAX_LENGTH} characters`)
  const tokens = tokenize(text)
  const filter = parseOr(tokens, scope, 0)
  tokens.expect(END.text)
  return filter
}

class Tokens {
  readonly #list: readonly Token[]
  #at = 0

  constructor(list: readonly Token[]) {
    this.#list = list
  }

  get next(): Token {
    return this.#list[this.#at] ?? END
  }

  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  /** Whether the next token is this word or mark, which is then taken. */
  takes(text: string): boolean {
    const { kind, text: found } = this.next
    if (kind === 'text' || found.toLowerCase() !== text) return false
    this.#at++
    return true
  }

  expect(text: string): void {
    if (!this.takes(text))
      throw invalidFilter(`The filter has '${shortened(this.next.text)}' instead of ${text}`)
  }
}

function tokenize(text: string): Tokens {
  const list: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const { lastIndex } = TOKEN
    const groups = TOKEN.exec(text)?.groups
    const [kind, found] = Object.entries(groups ?? {}).find(([, part]) => part !== undefined) ?? []
    if (kind === undefined || found === undefined)
      throw invalidFilter(`The filter cannot be read from '${shortened(text.slice(lastIndex))}'`)
    list.push({ kind: kind as Token['kind'], text: found })
  }
  return new Tokens(list)
}

function parseOr(tokens: Tokens, scope: Scope, depth: number): Filter {
  const filters = [parseAnd(tokens, scope, depth)]
  while (tokens.takes('or')) filters.push(parseAnd(tokens, scope, depth))
  return filters.length === 1 ? (filters[0] as Filter) : { kind: 'or', filters }
}

function parseAnd(tokens: Tokens, scope: Scope, depth: number): Filter {
  const filters = [parseOne(tokens, scope, depth)]
  while (tokens.takes('and')) filters.push(parseOne(tokens, scope, depth))
  return filters.length === 1 ? (filters[0] as Filter) : { kind: 'and', filters }
}

function parseOne(tokens: Tokens, scope: Scope, depth: number): Filter {
  if (depth > MAX_DEPTH) throw invalidFilter('The filter is nested too deeply')
  if (tokens.takes('(')) {
    const filter = parseOr(tokens, scope, depth + 1)
    tokens.expect(')')
    return filter
  }
  if (tokens.takes('not')) return { kind: 'not', filter: parseOne(tokens, scope, depth + 1) }
  return parseComparison(tokens, scope, depth)
}

function parseComparison(tokens: Tokens, scope: Scope, depth: number): Filter {
  const { kind, text: name } = tokens.take()
  if (kind !== 'word') throw invalidFilter(`The filter has '${shortened(name)}' where an attribute should be`)
  const path = resolvePath(name, scope)
  if (tokens.takes('[')) {
    const attributes = path?.at(-1)?.subAttributes ?? []
    const inside: Scope = { attributes, schema: null }
    const within = parseOr(tokens, inside, depth + 1)
    tokens.expect(']')
    if (!tokens.takes('.')) return { kind: 'element', path, filter: within }
    // What follows is of the same element.
    const rest = parseComparison(tokens, inside, depth)
    return { kind: 'element', path, filter: { kind: 'and', filters: [within, rest] } }
  }
  const operator = tokens.take().text.toLowerCase()
  if (operator === 'pr') return { kind: 'present', path }
  if (!OPERATORS.has(operator)) throw invalidFilter(`'${shortened(operator)}' is no operator of filters`)
  return comparison(path, operator as Operator, readValue(tokens.take()))
}

/** A list without a sub-attribute stands for the values of its elements. */
function comparison(path: Path, operator: Operator, value: Value): Filter {
  const last = path?.at(-1)
  const ofElement = last?.multiValued ? findAttribute(last.subAttributes ?? [], 'value') : null
  const whole = path && ofElement ? [...path, ofElement] : path
  const { type } = whole?.at(-1) ?? { type: null }
  if (type === 'boolean') {
    const wanted = toBoolean(value)
    if (operator !== 'eq' && operator !== 'ne') throw invalidFilter(`A boolean has no '${operator}'`)
    return { kind: 'compare', path: whole, operator, value: wanted ?? value }
  }
  return { kind: 'compare', path: whole, operator, value }
}

function readValue({ kind, text }: Token): Value {
  if (kind === 'number') return Number(text)
  if (kind === 'text') {
    try {
      return JSON.parse(text) as string
    } catch {
      throw invalidFilter(`The text ${shortened(text)} of the filter is not valid`)
    }
  }
  const word = text.toLowerCase()
  if (word === 'null') return null
  const known = toBoolean(word)
  if (kind !== 'word' || known === null)
    throw invalidFilter(
      `The filter has '${shortened(text)}' where a value should be: texts have quotation marks`,
    )
  return known
}

function resolvePath(name: string, { attributes, schema }: Scope): Path {
  const own = schema ? withoutSchema(schema, name) : name
  if (own === null) return null
  const path: Attribute[] = []
  let among: readonly Attribute[] = attributes
  for (const part of own.split('.')) {
    const found = findAttribute(among, part)
    if (!found) return null
    path.push(found)
    among = found.subAttributes ?? []
  }
  return path
}

const shortened = (text: string): string => (text.length > 50 ? `${text.slice(0, 50)}…` : text)

/** Whether a resource, or an element of a list, is as a filter says. What is unknown is never so. */
export function matches(filter: Filter, value: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((one) => matches(one, value))
    case 'or':
      return filter.filters.some((one) => matches(one, value))
    case 'not':
      return !matches(filter.filter, value)
    case 'element':
      return valuesAt(value, filter.path).some((element) => matches(filter.filter, element))
    case 'present':
      return valuesAt(value, filter.path).some(isPresent)
    case 'compare': {
      const { path, operator, value: wanted } = filter
      const attribute = path?.at(-1)
      if (!attribute) return false
      const found = valuesAt(value, path)
      if (operator === 'ne') return !found.some((one) => compare(attribute, 'eq', one, wanted))
      if (wanted === null) return operator === 'eq' && !found.some(isPresent)
      return found.some((one) => compare(attribute, operator, one, wanted))
    }
  }
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The values of an attribute; of a list, those of all its elements. */
function valuesAt(value: unknown, path: Path): unknown[] {
  if (path === null) return []
  let found: unknown[] = [value]
  for (const { name } of path)
    found = found.flatMap((one) => {
      const next = isDocument(one) ? one[name] : undefined
      return Array.isArray(next) ? next : next === undefined ? [] : [next]
    })
  return found
}

function compare({ type, caseExact }: Attribute, operator: Operator, found: unknown, wanted: Value): boolean {
  if (type === 'dateTime') return compareTimes(operator, found, wanted)
  if (typeof found !== typeof wanted) return false
  if (typeof found !== 'string' || typeof wanted !== 'string') return operator === 'eq' && found === wanted
  const [a, b] = caseExact ? [found, wanted] : [found.toLowerCase(), wanted.toLowerCase()]
  switch (operator) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return a.includes(b)
    case 'sw':
      return a.startsWith(b)
    case 'ew':
      return a.endsWith(b)
    default:
      return isInOrder(operator, a < b ? -1 : a > b ? 1 : 0)
  }
}

function compareTimes(operator: Operator, found: unknown, wanted: Value): boolean {
  const difference = Date.parse(String(found)) - Date.parse(String(wanted))
  if (Number.isNaN(difference)) return false
  return operator === 'eq' ? difference === 0 : isInOrder(operator, difference)
}

function isInOrder(operator: Operator, difference: number): boolean {
  switch (operator) {
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'le':
      return difference <= 0
    default:
      return false
  }
}

/** A text that one of these attributes must have for the filter to hold; null if there is none. */
export function findExactText<Name extends string>(
  filter: Filter,
  names: readonly Name[],
  within = '',
): { readonly name: Name; readonly text: string } | null {
  const nameOf = (path: Path): string => [within, ...(path ?? []).map(({ name }) => name)].join('.')
  switch (filter.kind) {
    case 'and': {
      for (const one of filter.filters) {
        const found = findExactText(one, names, within)
        if (found) return found
      }
      return null
    }
    case 'element':
      return findExactText(filter.filter, names, nameOf(filter.path))
    case 'compare': {
      const name = names.find((one) => `.${one}` === nameOf(filter.path))
      const { operator, value } = filter
      return name !== undefined && operator === 'eq' && typeof value === 'string'
        ? { name, text: value }
        : null
    }
    default:
      return null
  }
}
