import { badRequest } from '@tms/contracts'

/** No parameter comes near; recursive code such as JSON.stringify fails after some thousands. */
const MAX_DEPTH = 100
/** Every value that must be refused contains one of these; nearly none does, so nearly none is walked. */
const SUSPICIOUS = /\\u|__proto__/
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The value of a parameter's JSON text; with `orText`, a text that is not JSON is itself the value. Throws
 * BAD_REQUEST with the parameter's name: for bad JSON, with the text of `expected`, and for values that JSON allows
 * but PostgreSQL can't store.
 */
export function parseJson(
  name: string,
  raw: string,
  { orText, expected }: { orText: boolean; expected: () => string },
): unknown {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    if (orText) return raw
    throw badRequest(`Argument "${name}" is not valid JSON; it ${expected()}.`)
  }
  if (nestsDeeper(raw, MAX_DEPTH)) throw badRequest(`Argument "${name}" is nested too deeply.`)
  const fault = SUSPICIOUS.test(raw) ? findFault(value) : null
  if (fault !== null) throw badRequest(`${name} must not ${fault}`)
  return value
}

/** The problem of the first bad text in a value, names of fields included; null if there is none. */
function findFault(value: unknown): string | null {
  if (typeof value === 'string') {
    // PostgreSQL's text can hold neither; the second would come back as another character.
    if (value.includes('\0')) return 'contain NUL characters'
    return LONE_SURROGATE.test(value) ? 'contain half of a surrogate pair' : null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, part] of Object.entries(value)) {
    // An object that is copied field by field loses it.
    if (key === '__proto__') return 'have "__proto__"'
    const fault = (Array.isArray(value) ? null : findFault(key)) ?? findFault(part)
    if (fault !== null) return fault
  }
  return null
}

/** Whether lists and objects in a valid JSON text are nested more than `limit` deep. */
function nestsDeeper(json: string, limit: number): boolean {
  if (json.length <= 2 * limit) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > limit) return true
  }
  return false
}
