import type { z } from 'zod'

/** zod's description of a refused value. */
type RawIssue = z.core.$ZodRawIssue

/** Types by zod's names, as messages name them. Requests have no other numbers than integers. */
const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'an integer',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  tuple: ['entry', 'entries'],
}

/**
 * Says what is wrong with a value, in words that follow its name: "must be at most 7". Pass it to a schema's
 * `safeParse` as `error`; a schema with its own messages keeps them.
 */
export function wordIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${NOUNS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(show).join(', ')}`
    case 'too_small':
      return wordBound('at least', issue.origin, issue.minimum, issue)
    case 'too_big':
      return wordBound('at most', issue.origin, issue.maximum, issue)
    case 'unrecognized_keys':
      return `must not have ${issue.keys.map((key) => `"${key}"`).join(', ')}`
    case 'invalid_union':
      return wordUnion(issue.errors)
    default:
      return 'is not valid'
  }
}

/** One sentence with the path and the problem of the first issue in a parameter's value. */
export function describeIssue(name: string, error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${name}${formatPath(issue.path)} ${issue.message}` : `${name} is not valid`
}

/** Longer texts aren't repeated to the client. */
const MAX_EXAMPLE_LENGTH = 100

/**
 * What a text that is not JSON should have been, in words that follow its name: "must be a list, such as
 * ["message"]". The example is what was probably meant, if the schema accepts it.
 */
export function describeExpected(raw: string, schema: z.ZodType): string {
  const { error } = schema.safeParse(raw, { error: wordIssue })
  const words = error?.issues[0]?.message ?? 'must be text in quotes'
  // A text that begins like JSON was meant to be JSON and is broken: accepted as a text it would mean nothing.
  if (/^\s*(?:$|["[{])/.test(raw) || raw.length > MAX_EXAMPLE_LENGTH) return words
  const parts = raw.split(',').map((part) => part.trim())
  const numbers = parts.map(Number)
  const meant = [raw, parts, numbers].find((value) => schema.safeParse(value).success)
  return meant === undefined ? words : `${words}, such as ${JSON.stringify(meant)}`
}

const show = (value: unknown): string => (value === '' ? '""' : String(value))

const formatPath = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `["${String(part)}"]`)).join('')

function wordBound(
  bound: 'at least' | 'at most',
  origin: string,
  limit: number | bigint,
  { inclusive = true, exact = false }: { inclusive?: boolean; exact?: boolean },
): string {
  const unit = UNITS[origin]
  if (!unit) return inclusive ? `must be ${bound} ${limit}` : `must be ${OPEN_BOUNDS[bound]} ${limit}`
  if (bound === 'at least' && limit === 1 && !exact) return 'must not be empty'
  return `must have ${exact ? 'exactly' : bound} ${limit} ${unit[limit === 1 ? 0 : 1]}`
}

const OPEN_BOUNDS = { 'at least': 'more than', 'at most': 'less than' } as const

/**
 * An alternative of the right type with a problem inside is the one that was meant. If there is none, or more than
 * one, all are listed.
 */
function wordUnion(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const firsts = alternatives.flatMap(([first]) => (first ? [first] : []))
  const meant = firsts.filter((issue) => issue.path.length > 0 || issue.code !== 'invalid_type')
  const shown = meant.length > 0 ? meant : firsts
  const words = shown.map(
    ({ path, message }) => `${path.length > 0 ? `at ${formatPath(path)} ` : ''}${message}`,
  )
  const [first = 'is not valid', ...others] = [...new Set(words)]
  const sameStart = /^(at \S+ )?must be /.exec(first)?.[0]
  const rest = others.map((word) =>
    sameStart && word.startsWith(sameStart) ? word.slice(sameStart.length) : word,
  )
  return [first, ...rest].join(' or ')
}
