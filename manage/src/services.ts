import {
  createInternalClient,
  createInternalStreams,
  createInternalTokenSource,
  type InternalClient,
  type InternalStreams,
} from '@tms/service-kit'
import { readTls, readVariables } from './environment.ts'

const urlNames = {
  users: 'USERS_URL',
  realm: 'REALM_URL',
  messaging: 'MESSAGING_URL',
  events: 'EVENTS_URL',
} as const
type Called = keyof typeof urlNames

/** Whoever waits at a terminal would rather wait than not learn what came of it, such as a new password. */
const PATIENCE_MS = 30_000

/** Calls the internal endpoints of services, of which those variables are read that it takes. */
export function callerOf(env: NodeJS.ProcessEnv, services: readonly Called[]): InternalClient {
  const names = services.map((service) => urlNames[service])
  const { INTERNAL_PRIVATE_KEY, ...urls } = readVariables(env, ['INTERNAL_PRIVATE_KEY', ...names])
  const byOwner = Object.fromEntries(
    services.map((service) => [service, (urls as Record<string, string[]>)[urlNames[service]] ?? []]),
  )
  const token = createInternalTokenSource('manage', INTERNAL_PRIVATE_KEY)
  const call = createInternalClient(byOwner, token, readTls(env))
  return (endpoint, body, options) => call(endpoint, body, { timeoutMs: PATIENCE_MS, ...options })
}

/** Streams to and from the services that have a part in exports. */
export function streamsOf(env: NodeJS.ProcessEnv): InternalStreams {
  const { INTERNAL_PRIVATE_KEY, REALM_URL, USERS_URL, MESSAGING_URL } = readVariables(env, [
    'INTERNAL_PRIVATE_KEY',
    'REALM_URL',
    'USERS_URL',
    'MESSAGING_URL',
  ])
  const urls = { realm: REALM_URL, users: USERS_URL, messaging: MESSAGING_URL }
  return createInternalStreams(urls, createInternalTokenSource('manage', INTERNAL_PRIVATE_KEY), readTls(env))
}
