import { AppError, badRequest, type Parameter, type Parameters } from '@tms/contracts'
import { describeExpected, describeIssue, wordIssue } from '../validation/describe-issue.ts'
import type { Fields, UnreadBody } from './form.ts'
import { parseJson } from './json-value.ts'

/** Read by shared code for every endpoint, so never reported as unsupported. */
const ALWAYS_KNOWN = new Set(['client'])

/** Decoded values by parameter name, and the names that the endpoint does not know. */
export interface Decoded {
  readonly input: Record<string, unknown>
  readonly ignored: string[]
}

/**
 * Decodes raw fields as an endpoint declares them (API document, introduction and "Common response envelope"). Throws
 * REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR or BAD_REQUEST. `unread` describes a body that isn't form-encoded.
 */
export function decodeFields(
  fields: Fields,
  parameters: Parameters,
  unread: UnreadBody | null = null,
): Decoded {
  const input: Record<string, unknown> = {}
  const known = new Set<string>()
  for (const name in parameters) {
    const parameter = parameters[name] as Parameter
    const raw = findField(fields, name, parameter, known)
    if (raw !== undefined) input[name] = decodeValue(name, raw, parameter)
    else if (parameter.required) throw missing(name, unread)
  }
  // Otherwise it would be a success that changes nothing. Other content types may be accidental, as that of an empty
  // text is; JSON is intended. An endpoint without parameters works whatever the body is.
  if (unread?.isJson && Object.keys(parameters).length > 0) throw badRequest(notRead(unread))
  const ignored: string[] = []
  for (const name of fields.keys()) if (!known.has(name) && !ALWAYS_KNOWN.has(name)) ignored.push(name)
  return { input, ignored: ignored.sort() }
}

function missing(name: string, unread: UnreadBody | null): AppError {
  const hint = unread ? `. ${notRead(unread)}` : ''
  return new AppError('REQUEST_VARIABLE_MISSING', {
    message: `Missing '${name}' argument${hint}`,
    details: { var_name: name },
  })
}

function notRead({ contentType }: UnreadBody): string {
  const what = contentType === '' ? 'without a content type' : `of type ${contentType}`
  return `A body ${what} is not read: send form fields (application/x-www-form-urlencoded)`
}

function findField(
  fields: Fields,
  name: string,
  parameter: Parameter,
  known: Set<string>,
): string | undefined {
  let raw = fields.get(name)
  let usedName = name
  known.add(name)
  for (const alias of parameter.aliases) {
    known.add(alias)
    const value = fields.get(alias)
    if (value === undefined) continue
    if (raw !== undefined) {
      throw new AppError('REQUEST_CONFUSING_VAR', {
        message: `Can't decide between '${usedName}' and '${alias}' arguments`,
        details: { var_name1: usedName, var_name2: alias },
      })
    }
    raw = value
    usedName = alias
  }
  return raw
}

/** Decodes one raw value. Throws BAD_REQUEST naming the parameter. */
export function decodeValue(name: string, raw: string, { schema, encoding }: Parameter): unknown {
  // PostgreSQL's text can't hold NUL. A text decoded from UTF-8 has no lone surrogates.
  if (raw.includes('\0')) throw badRequest(`${name} must not contain NUL characters`)
  const terms = { orText: encoding === 'text-or-json', expected: () => describeExpected(raw, schema) }
  const value = encoding === 'text' ? raw : parseJson(name, raw, terms)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  // Our messages only now: valid values parse faster without them.
  const { error } = schema.safeParse(value, { error: wordIssue })
  throw badRequest(describeIssue(name, error ?? parsed.error))
}

/** Decodes a path segment; leading zeros of a number are dropped. Throws BAD_REQUEST. */
export function decodePathField(name: string, raw: string, parameter: Parameter): unknown {
  return decodeValue(name, parameter.encoding === 'json' ? raw.replace(/^0+(?=\d)/, '') : raw, parameter)
}
