import { internal, type Joining } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { Context } from '../kernel/context.ts'

/** Messaging needs less; a larger value keeps the caller waiting while messaging is down. */
const TIMEOUT_MS = 2_000

/**
 * Asks messaging to subscribe and welcome the new user before the caller gets an answer. If that fails, messaging
 * does it when it consumes the account's event.
 */
export async function onboardUser(
  { call }: Pick<Context, 'call'>,
  account: Account,
  joined: Joining | null,
  requestId: string,
): Promise<void> {
  const body = { projection: toUserProjection(account), ...(joined && { joined }) }
  const options = { requestId, timeoutMs: TIMEOUT_MS }
  await call(internal.messaging.onboardUser, body, options).catch(() => {})
}
