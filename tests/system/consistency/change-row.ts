import type { AnyEndpoint } from '@tms/contracts'
import { type Answer, type ApiClient, ApiError, type ClientEvent } from '@tms/test-kit'
import type { Environment } from './environment.ts'

/** One repetition of a row; every other one is 'on'. */
export interface Turn {
  readonly index: number
  /** Whether the change of this turn turns the row's subject on; the next one turns it off. */
  readonly isOn: boolean
}

/** Returns the same account at the gateway of the step. */
export type At = (client: ApiClient) => ApiClient

export type Step<T = unknown> = (at: At, turn: Turn) => Promise<T>

/** The event by which clients receive a turn's change. */
export interface EventOfChange {
  /** The owner of the queue that receives it. */
  readonly watcher: ApiClient
  readonly type: string
  /** Whether an event belongs to the turn, and not to the previous one. */
  readonly isOfTurn: (event: ClientEvent, turn: Turn) => boolean
}

/** What a row does in each turn, after its preparation. */
export interface PreparedRow {
  /** Creates what the turn needs, before the change; nothing is asserted. */
  readonly prepareTurn?: Step
  /** Resolves once the change was acknowledged. */
  readonly change: Step
  /** Uses the change at another service, or at another replica; returns the observed value. */
  readonly use: Step
  /** What a user observes if the change is in force. */
  readonly expected: (turn: Turn) => unknown
  /** For rows that also run by their event. */
  readonly event?: EventOfChange
}

/** A kind of change, with a use that depends on it. */
export interface ChangeRow {
  /** A plain sentence: the change, then the use. */
  readonly name: string
  /** The endpoints whose changes it covers. */
  readonly covers: readonly AnyEndpoint[]
  /** Whether the row also runs by its event: a client that receives the change by a poll uses it at once. */
  readonly isRunByEvent?: true
  readonly prepare: (environment: Environment) => Promise<PreparedRow>
}

/** Rows that share an organization and run sequentially, so that no row refreshes data that another one must find stale. */
export interface RowGroup {
  readonly subject: string
  readonly rows: readonly ChangeRow[]
}

/** Whether a response grants or refuses. Throws if it is neither, such as 503. */
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

/** Whether the row's subject is on, for uses that observe it. */
export const whenOn = ({ isOn }: Turn): boolean => isOn
