import { AppError, badRequest, invalidVariable, limits } from '@tms/contracts'

export type Operand = string | number | readonly number[]

/** One term of a narrow as a client wrote it, checked for its form only. */
export interface Term {
  readonly operator: string
  readonly operand: Operand
  readonly isNegated: boolean
}

const takesTextOrId = (operand: unknown) => typeof operand === 'string' || Number.isSafeInteger(operand)
const takesTextOrIds = (operand: unknown) =>
  typeof operand === 'string' || (Array.isArray(operand) && operand.every(Number.isSafeInteger))
const takesText = (operand: unknown) => typeof operand === 'string'

/** Types of operands that aren't just text, by the operator's current name. */
const OPERAND_FORMS: Readonly<Record<string, (operand: unknown) => boolean>> = {
  channel: takesTextOrId,
  id: takesTextOrId,
  with: takesTextOrId,
  sender: takesTextOrId,
  dm: takesTextOrIds,
  'dm-including': takesTextOrId,
  'group-pm-with': takesTextOrId,
}

/**
 * Parses a narrow; absent is the empty one. Throws REQUEST_VARIABLE_INVALID if it is no list of terms, and BAD_REQUEST
 * for a term whose parts have the wrong type.
 */
export function parseNarrow(narrow: unknown): Term[] {
  if (narrow === undefined) return []
  if (!Array.isArray(narrow)) throw invalidVariable('narrow', narrow)
  if (narrow.length > limits.maxNarrowTerms) throw badNarrow('too many terms')
  return narrow.map((element: unknown) => parseTerm(element) ?? failInvalid(narrow))
}

function parseTerm(element: unknown): Term | null {
  if (Array.isArray(element)) {
    const [operator, operand]: unknown[] = element
    const isPair = element.length === 2 && typeof operator === 'string' && typeof operand === 'string'
    return isPair ? { operator, operand, isNegated: false } : null
  }
  if (typeof element !== 'object' || element === null) return null

  const { operator, operand, negated = false } = element as Record<string, unknown>
  if (typeof operator !== 'string') throw badRequest('narrow: operator is not a string')
  if (typeof negated !== 'boolean') throw badRequest('narrow: negated is not a boolean')
  const name = operatorName(operator)
  const hasRightForm = (Object.hasOwn(OPERAND_FORMS, name) && OPERAND_FORMS[name]) || takesText
  if (!hasRightForm(operand)) throw badRequest(`narrow: the operand of ${operator} has the wrong type`)
  return { operator, operand: operand as Operand, isNegated: negated }
}

function failInvalid(narrow: unknown): never {
  throw invalidVariable('narrow', narrow)
}

/** The error for a well-formed narrow that can't be resolved. */
export function badNarrow(desc: string): AppError {
  return new AppError('BAD_NARROW', { message: `Invalid narrow operator: ${desc}`, details: { desc } })
}

/** Current names of operators, by older names that clients use. */
const OPERATOR_NAMES: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  pm_with: 'dm',
  group_pm_with: 'group-pm-with',
}

/** The operator's current name. */
export function operatorName(operator: string): string {
  return (Object.hasOwn(OPERATOR_NAMES, operator) && OPERATOR_NAMES[operator]) || operator
}

export type MessageState =
  | 'direct'
  | 'starred'
  | 'unread'
  | 'mentioned'
  | 'alerted'
  | 'resolved'
  | 'followed'
  | 'muted'

const STATES: ReadonlyMap<Operand, MessageState> = new Map([
  ['dm', 'direct'],
  ['private', 'direct'],
  ['starred', 'starred'],
  ['unread', 'unread'],
  ['mentioned', 'mentioned'],
  ['alerted', 'alerted'],
  ['resolved', 'resolved'],
  ['followed', 'followed'],
  ['muted', 'muted'],
])

/** The state that an `is` term requires. Throws BAD_NARROW. */
export function parseState(operand: Operand): MessageState {
  const state = STATES.get(operand)
  if (!state) throw badNarrow(`unknown 'is' operand ${String(operand)}`)
  return state
}

/** The operand of `id`: digits, as text or as a number. Throws BAD_NARROW. */
export function parseMessageId(operand: Operand): number {
  const digits = String(operand)
  const id = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(id)) throw badNarrow('Invalid message ID')
  return id
}

/** The operand if it is one of these words. Throws BAD_NARROW. */
export function parseWord<Word extends string>({ operator, operand }: Term, words: readonly Word[]): Word {
  const word = words.find((one) => one === operand)
  if (word === undefined) throw badNarrow(`unknown '${operator}' operand ${String(operand)}`)
  return word
}
