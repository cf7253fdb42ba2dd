import type { z } from 'zod'

/** What zod knows of a value that it refuses. */
type RawIssue = z.core.$ZodRawIssue

/** Types by zod's names, as sentences name them. There are no other numbers than integers in requests. */
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
 * Says what is wrong with a value, in words that follow its name: "must be at most 7". To be given to a schema's
 * `safeParse` as `error`; a schema that has words of its own keeps them.
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

/** One sentence that says where in a parameter's value the first problem is and what it is. */
export function describeIssue(name: string, error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${name}${place(issue.path)} ${issue.message}` : `${name} is not valid`
}

/** Longer texts aren't repeated to who sent them. */
const MAX_EXAMPLE_LENGTH = 100

/**
 * What a text that is no JSON should have been, in words that follow its name: "must be a list, such as ["message"]". The
 * example says what was probably meant, if there is one that the schema takes.
 */
export function describeExpected(raw: string, schema: z.ZodType): string {
  const { error } = schema.safeParse(raw, { error: wordIssue })
  const words = error?.issues[0]?.message ?? 'must be text in quotes'
  // What begins as JSON was meant to be JSON, and is broken: as a text it would be accepted and mean nothing.
  if (/^\s*(?:$|["[{])/.test(raw) || raw.length > MAX_EXAMPLE_LENGTH) return words
  const parts = raw.split(',').map((part) => part.trim())
  const numbers = parts.map(Number)
  const meant = [raw, parts, numbers].find((value) => schema.safeParse(value).success)
  return meant === undefined ? words : `${words}, such as ${JSON.stringify(meant)}`
}

const show = (value: unknown): string => (value === '' ? '""' : String(value))

const place = (path: readonly PropertyKey[]): string =>
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
 * An alternative that has the right type, and something wrong inside, is the one that was meant. Where there is
 * none, or more than one, all are told.
 */
function wordUnion(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const firsts = alternatives.flatMap(([first]) => (first ? [first] : []))
  const meant = firsts.filter((issue) => issue.path.length > 0 || issue.code !== 'invalid_type')
  const told = meant.length > 0 ? meant : firsts
  const words = told.map(({ path, message }) => `${path.length > 0 ? `at ${place(path)} ` : ''}${message}`)
  const [first = 'is not valid', ...others] = [...new Set(words)]
  const sameStart = /^(at \S+ )?must be /.exec(first)?.[0]
  const rest = others.map((word) =>
    sameStart && word.startsWith(sameStart) ? word.slice(sameStart.length) : word,
  )
  return [first, ...rest].join(' or ')
}
