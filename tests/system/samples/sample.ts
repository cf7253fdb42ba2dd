import type { endpoints } from '@tms/contracts'
import type { Names } from '../foreign/contents.ts'
import type { SampleObjects } from './sample-objects.ts'

/** Input of a request, as texts. */
export type Fields = Readonly<Record<string, string>>

/** Requests that name objects of some organization; `own` are the caller's. */
export type NamingRequests = (names: Names, own: Names) => readonly Fields[]

/** Who calls an endpoint that the owner of the organization cannot call, or only once: its caller ends with the call. */
export type SampleCaller = 'bot' | 'new user' | 'owner of a new organization'

/** What the tests of all endpoints need of one of them. */
export interface Sample {
  /** Otherwise the owner of the organization calls it. */
  readonly caller?: SampleCaller
  /** Input with which the caller succeeds. Without it, the endpoint is called without input. */
  readonly valid?: Fields | ((objects: SampleObjects) => Fields | Promise<Fields>)
  /**
   * Requests with names of another organization's objects, or the input of one request if no parameter can name an object. Every
   * endpoint that takes parameters has it.
   */
  readonly foreign?: NamingRequests | Fields
  /** Undoes what unusual values may have changed, after the tests of the endpoint. */
  readonly restore?: (objects: SampleObjects) => Promise<unknown>
  /**
   * Why no row of `consistency/rows` has the endpoint. Every endpoint of users and realm that changes data has either of these: a
   * row, or the reason why no replica or service caches what it changes.
   */
  readonly noConsistencyRow?: string
}

/** Samples of some of a service's endpoints, by name. */
export type SamplesOf<Owner extends keyof typeof endpoints> = {
  readonly [Name in keyof (typeof endpoints)[Owner]]?: Sample
}

/** Input that names no object, so that the same serves as `foreign`. */
export const namesNothing = (input: Fields): Pick<Sample, 'foreign' | 'valid'> => ({
  valid: input,
  foreign: input,
})
