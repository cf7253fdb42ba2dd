import { badRequest } from '@tms/contracts'

/** No parameter comes near; what walks a value by recursion, as JSON.stringify does, fails after some thousands. */
const MAX_DEPTH = 100
/** What a value must have in it that isn't to be taken; nearly none has, so nearly none is walked. */
const SUSPICIOUS = /\\u|__proto__/
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The value of a parameter's JSON text; with `orText`, a text that is no JSON is itself the value. Throws BAD_REQUEST
 * in words that name the parameter: for bad JSON, with what `expected` says of it, and for what JSON can say and nobody
 * could keep as it is.
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

/** What is wrong with the first text in a value, names of fields included; null for nothing. */
function findFault(value: unknown): string | null {
  if (typeof value === 'string') {
    // PostgreSQL's text cannot hold either; the second would come back as another character.
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

/** Whether lists and objects in a valid JSON text stand in each other more than `limit` deep. */
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
