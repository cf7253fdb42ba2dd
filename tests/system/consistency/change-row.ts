import type { AnyEndpoint } from '@tms/contracts'
import { type Answer, type ApiClient, ApiError, type ClientEvent } from '@tms/test-kit'
import type { Stage } from './stage.ts'

/** A number of a row's repetitions; every other one is 'on'. */
export interface Turn {
  readonly index: number
  /** Whether the change of this turn turns on what the row is about; the next turns it off. */
  readonly isOn: boolean
}

/** The same account at the gateway that the step goes through. */
export type At = (client: ApiClient) => ApiClient

export type Step<T = unknown> = (at: At, turn: Turn) => Promise<T>

/** The event by which clients learn of a turn's change. */
export interface EventOfChange {
  /** Whose queue gets it. */
  readonly watcher: ApiClient
  readonly type: string
  /** Whether an event is that of the turn, and not of the one before. */
  readonly isOfTurn: (event: ClientEvent, turn: Turn) => boolean
}

/** What a row does in each turn, once what it needs is there. */
export interface PreparedRow {
  /** Makes what the turn needs, before the change; nothing is proved by it. */
  readonly prepareTurn?: Step
  /** Resolves once the change was answered with success. */
  readonly change: Step
  /** Uses the change at another service, or at another replica; returns what was observed. */
  readonly use: Step
  /** What a user sees if the change is in force. */
  readonly expected: (turn: Turn) => unknown
  /** Of rows that are also run by their event. */
  readonly event?: EventOfChange
}

/** A kind of change, with a use that depends on it. */
export interface ChangeRow {
  /** A plain sentence: the change, then the use. */
  readonly name: string
  /** The endpoints whose changes it proves. */
  readonly covers: readonly AnyEndpoint[]
  /** Whether the row is run by its event too: who learns of the change by a poll uses it at once. */
  readonly isRunByEvent?: true
  readonly prepare: (stage: Stage) => Promise<PreparedRow>
}

/** Rows that share an organization, one after another, so that no row refreshes what another one would find stale. */
export interface Lane {
  readonly subject: string
  readonly rows: readonly ChangeRow[]
}

/** Whether an answer grants or refuses. Throws it if it is neither, such as 503. */
export function outcomeOf(answer: Answer): string {
  const { status } = answer
  if (status === 200) return 'allowed'
  if (status === 400 || status === 401 || status === 403 || status === 404) return 'refused'
  throw new ApiError('a use', answer)
}

/** The outcome of a use that is allowed while the row's subject is on. */
export const allowedWhenOn = ({ isOn }: Turn): string => (isOn ? 'allowed' : 'refused')

/** The outcome of a use that is refused while the row's subject is on. */
export const refusedWhenOn = ({ isOn }: Turn): string => (isOn ? 'refused' : 'allowed')

/** Whether the row's subject is on, for uses that observe that. */
export const whenOn = ({ isOn }: Turn): boolean => isOn
