import type { PushRegistrationError } from '@tms/contracts'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import {
  findClientDevice,
  saveRegistrationError,
  saveSealedToken,
} from '../kernel/pushes/client-device.queries.ts'
import { publishClientDevice, publishRegistered } from '../kernel/pushes/publish-client-devices.ts'
import { publishPushDevice } from '../kernel/pushes/publish-push-devices.ts'
import { type PushRelay, PushRelayError } from '../kernel/pushes/push-relay.ts'
import { recordDevices } from '../kernel/pushes/record-devices.ts'
import { deleteEmptyRelayDevice } from '../kernel/pushes/relayed-device.queries.ts'
import { retryDelayMs } from '../kernel/pushes/retry.rules.ts'
import {
  leaseRegistration,
  postponeRegistration,
  takeRegistration,
  type WaitingRegistration,
} from './sealed-registration.queries.ts'

/** Longer than a call takes. */
const LEASE_MS = 60_000
const PAUSE_MS = 5_000
/** What the service asks for may be a mistake. */
const MAX_PAUSE_MS = 300_000
/** Then the service takes it no longer; it says so itself, if it answers. */
const MAX_HOURS = 24
/** Refusals that a client can do nothing about: an operator may, or a report of the organizations. */
const OF_INSTALLATION = [
  'MISSING_REMOTE_REALM',
  'REMOTE_REALM_SERVER_MISMATCH_ERROR',
  'PUSH_NOTIFICATIONS_DISALLOWED',
]

/**
 * Hands what clients registered to the push relay service, which alone can open it, until it accepts or refuses that.
 * Clients learn of either by an event.
 */
export function startSealedRegistrations(context: Context, relay: PushRelay, log: Logger): Loop {
  // Each client that registers wakes the loop, which mustn't end a pause that the service asked for.
  let pausedUntil = 0
  return startLoop({
    name: 'registrations at the push relay service',
    log,
    round: async () => {
      const pauseMs = pausedUntil - performance.now()
      if (pauseMs > 0) return pauseMs
      const registration = await leaseRegistration(context.db, LEASE_MS)
      if (!registration) return PAUSE_MS
      const askedMs = await register(context, relay, registration, log)
      pausedUntil = performance.now() + askedMs
      return askedMs
    },
  })
}

/** Registers a client. Returns how long the service isn't to be called: others would fail too. */
async function register(
  context: Context,
  relay: PushRelay,
  registration: WaitingRegistration,
  log: Logger,
): Promise<number> {
  const { realmId, failures } = registration
  try {
    await relay.registerSealed(realmId, registration)
  } catch (err) {
    if (!(err instanceof PushRelayError)) throw err
    if (err.code === 'MISSING_REMOTE_REALM') context.pushes.relayed.report()
    const code = errorOf(err, registration)
    if (code === null) {
      log.warn({ reason: err.message, failures }, 'the push relay service registers a client later')
      await postponeRegistration(context.db, registration, retryDelayMs(failures, err.afterMs))
      return err.fault === 'refused' ? 0 : Math.min(MAX_PAUSE_MS, err.afterMs ?? PAUSE_MS)
    }
    await fail(context, registration, code)
    return 0
  }
  await complete(context, registration)
  return 0
}

/** What to tell the client of a failure; null if another attempt may succeed. */
function errorOf(err: PushRelayError, { hours }: WaitingRegistration): PushRegistrationError | null {
  if (err.fault !== 'refused' || OF_INSTALLATION.includes(err.code ?? ''))
    return hours > MAX_HOURS ? 'REQUEST_EXPIRED' : null
  if (err.code === 'INVALID_BOUNCER_PUBLIC_KEY' || err.code === 'REQUEST_EXPIRED') return err.code
  return 'INVALID_ENCRYPTED_PUSH_REGISTRATION'
}

async function complete(context: Context, registration: WaitingRegistration): Promise<void> {
  const { clientId, accountId, realmId, tokenKind, tokenId } = registration
  await context.transact(async (tx) => {
    const account = await lockAccount(tx, realmId, accountId)
    const key = await takeRegistration(tx, registration)
    if (!account || key === null) return
    const service = `sealed_relay_${tokenKind}` as const
    const token = { service, token: tokenId, tokenId, appId: null }
    const before = await findClientDevice(tx, account.id, clientId)
    const others = await saveSealedToken(tx, account.id, clientId, token, key)
    await deleteEmptyRelayDevice(tx, account.id)
    await publishRegistered(tx, account, clientId, others, null)
    if (before?.push_token_id === null && others.length === 0)
      await publishPushDevice(tx, 'added', account, token, null)
    await recordDevices(tx, context, account, null)
  })
  context.pushes.relayed.wake()
}

async function fail(
  context: Context,
  registration: WaitingRegistration,
  code: PushRegistrationError,
): Promise<void> {
  const { clientId, accountId, realmId } = registration
  await context.transact(async (tx) => {
    const account = await lockAccount(tx, realmId, accountId)
    const key = await takeRegistration(tx, registration)
    if (!account || key === null) return
    await saveRegistrationError(tx, clientId, code)
    const failed = { pending_push_token_id: null, push_registration_error_code: code }
    await publishClientDevice(tx, account, clientId, failed, null)
  })
}
