import {
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  type InternalClient,
  type InternalStreams,
} from '@tms/service-kit'
import { readTls, readVariables } from '../kernel/environment.ts'

const urlNames = {
  users: 'USERS_URL',
  realm: 'REALM_URL',
  messaging: 'MESSAGING_URL',
  events: 'EVENTS_URL',
} as const
type ServiceName = keyof typeof urlNames

/** Long: an operator would rather wait than miss the result, such as a new password. */
const CALL_TIMEOUT_MS = 30_000

/** Creates a caller of internal endpoints. Reads only the variables of these services. */
export function createServiceCaller(
  env: NodeJS.ProcessEnv,
  services: readonly ServiceName[],
): InternalClient {
  const names = services.map((service) => urlNames[service])
  const { INTERNAL_PRIVATE_KEY, ...urls } = readVariables(env, ['INTERNAL_PRIVATE_KEY', ...names])
  const byOwner = Object.fromEntries(
    services.map((service) => [service, (urls as Record<string, string[]>)[urlNames[service]] ?? []]),
  )
  const token = createInternalTokenSource('manage', INTERNAL_PRIVATE_KEY)
  const call = createInternalClient(byOwner, token, readTls(env))
  return (endpoint, body, options) => call(endpoint, body, { timeoutMs: CALL_TIMEOUT_MS, ...options })
}

/** Creates streams to and from the services that export and import. */
export function createServiceStreams(env: NodeJS.ProcessEnv): InternalStreams {
  const { INTERNAL_PRIVATE_KEY, REALM_URL, USERS_URL, MESSAGING_URL } = readVariables(env, [
    'INTERNAL_PRIVATE_KEY',
    'REALM_URL',
    'USERS_URL',
    'MESSAGING_URL',
  ])
  const urls = { realm: REALM_URL, users: USERS_URL, messaging: MESSAGING_URL }
  return createInternalStreams(urls, createInternalTokenSource('manage', INTERNAL_PRIVATE_KEY), readTls(env))
}
