import { internal, type Joining } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { Person } from './account.queries.ts'
import { toUserProjection } from './user-projection.ts'

/** Longer than messaging takes for it; too large keeps the caller waiting while messaging is down. */
const TIMEOUT_MS = 2_000

/**
 * Has messaging subscribe and welcome a new user before the caller is answered. If that fails, messaging does it when it receives the
 * event of the account.
 */
export async function onboardUser(
  { call }: Pick<Context, 'call'>,
  person: Person,
  joined: Joining | null,
  requestId: string,
): Promise<void> {
  const body = { projection: toUserProjection(person), ...(joined && { joined }) }
  const options = { requestId, timeoutMs: TIMEOUT_MS }
  await call(internal.messaging.onboardUser, body, options).catch(() => {})
}
