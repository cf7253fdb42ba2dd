import { type AnyEndpoint, apiEndpoints } from '@tms/contracts'
import { rowGroups } from '../consistency/row-groups.ts'
import type { Fields, NamingRequests, Sample } from './sample.ts'
import { sampleLists } from './sample-lists.ts'
import type { SampleObjects } from './sample-objects.ts'

/** Each record with the name of its endpoint. */
export const allSamples: readonly (readonly [name: string, Sample])[] = sampleLists.flatMap(
  (samples): [string, Sample][] => Object.entries(samples),
)

const samplesByName: ReadonlyMap<string, Sample> = new Map(allSamples)

/** The endpoints whose changes have a row in the table of changes and their uses. */
export const endpointsWithRow: ReadonlySet<AnyEndpoint> = new Set(
  rowGroups.flatMap(({ rows }) => rows.flatMap(({ covers }) => covers)),
)

/** Why an endpoint needs no such row, or undefined. */
export const reasonForNoRow = ({ name }: AnyEndpoint): string | undefined =>
  samplesByName.get(name)?.noConsistencyRow

/** Whether a request can name anything. */
export const takesParameters = ({ pathParameters, parameters }: AnyEndpoint): boolean =>
  Object.keys({ ...pathParameters, ...parameters }).length > 0

/** Whether an endpoint changes data that replicas and other services may cache. */
export const changesCachedData = ({ owner, method }: AnyEndpoint): boolean =>
  (owner === 'users' || owner === 'realm') && method !== 'GET'

/** Whether an endpoint for programs can only be called with input. */
const requiresInput = (endpoint: AnyEndpoint): boolean =>
  apiEndpoints.includes(endpoint) &&
  (Object.keys(endpoint.pathParameters).length > 0 ||
    Object.values(endpoint.parameters).some(({ required }) => required))

/** What the record of an endpoint lacks, in sentences that say what to add. */
export function sampleGaps(endpoint: AnyEndpoint): string[] {
  const { name, method, path, owner } = endpoint
  const sample = samplesByName.get(name) ?? {}
  const inRecord = `to the record of ${name} in tests/system/samples/${owner}/`
  const gaps: string[] = []
  if (requiresInput(endpoint) && !sample.valid)
    gaps.push(`${method} ${path} requires input: add 'valid', input that succeeds, ${inRecord}`)
  if (takesParameters(endpoint) && !sample.foreign)
    gaps.push(
      `${method} ${path} takes parameters: add 'foreign', requests with names of another organization, ${inRecord}`,
    )
  if (changesCachedData(endpoint) && !sample.noConsistencyRow && !endpointsWithRow.has(endpoint))
    gaps.push(
      `${method} ${path} changes data: add a row to tests/system/consistency/rows/, or 'noConsistencyRow', the reason why nothing caches that data, ${inRecord}`,
    )
  return gaps
}

/** The record of an endpoint; it may lack what the tests need. */
export const sampleOf = ({ name }: AnyEndpoint): Sample => samplesByName.get(name) ?? {}

function completeSampleOf(endpoint: AnyEndpoint): Sample {
  const gaps = sampleGaps(endpoint)
  if (gaps.length > 0) throw new Error(gaps.join('\n'))
  return sampleOf(endpoint)
}

/** Input with which an endpoint succeeds. */
export async function validInput(endpoint: AnyEndpoint, objects: SampleObjects): Promise<Fields> {
  const { valid = {} } = completeSampleOf(endpoint)
  return typeof valid === 'function' ? valid(objects) : valid
}

/** Requests of an endpoint that name objects, or null if it has none. */
export function namingRequestsOf(endpoint: AnyEndpoint): NamingRequests | null {
  const { foreign } = sampleOf(endpoint)
  return typeof foreign === 'function' ? foreign : null
}

/** The input of the request of an endpoint that cannot name an object, or null if it can. */
export function inputWithoutNames(endpoint: AnyEndpoint): Fields | null {
  const { foreign = {} } = completeSampleOf(endpoint)
  return typeof foreign === 'function' ? null : foreign
}
