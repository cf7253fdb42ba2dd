import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { addToInvitationCounts, findRealmStart, lockInvitationCounts } from './invitation-counts.queries.ts'
import { invitationFailedError } from './invitation-failed.ts'

/** Organizations younger than this share one limit, so that creating many doesn't help to send more. */
const NEW_REALM_MS = 7 * 86_400_000
const NEW_REALMS = 'new realms'

export interface DailyLimit {
  /** Counts invitations as sent when the transaction commits. */
  readonly count: (sent: number) => Promise<void>
}

/**
 * Checks the organization's daily limit and locks its counters until the transaction ends. Throws INVITATION_FAILED
 * if `wanted` more exceed it.
 */
export async function claimDailyLimit(
  tx: PrismaTx,
  realmId: number,
  wanted: number,
  { invitationLimits: { perDay, perDayOfNewRealms }, now }: Pick<Context, 'invitationLimits' | 'now'>,
): Promise<DailyLimit> {
  const at = now()
  const startedAt = await findRealmStart(tx, realmId)
  const isNew = startedAt !== null && at.getTime() - startedAt.getTime() < NEW_REALM_MS
  const limits = [
    { counter: `realm ${realmId}`, max: perDay },
    ...(isNew ? [{ counter: NEW_REALMS, max: perDayOfNewRealms }] : []),
  ]
  const counters = limits.map(({ counter }) => counter)
  const sent = await lockInvitationCounts(tx, counters, at)
  if (limits.some(({ max }, index) => max > 0 && (sent[index] ?? 0) + wanted > max))
    throw invitationFailedError('Too many invitations were sent today', { isLimitReached: true })
  return { count: (really) => addToInvitationCounts(tx, counters, really, at) }
}
