import { domainEvents, Role } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { diffMembership, directGroupsOf } from './system-membership.rules.ts'
import { startWaitingPeriod, stopWaitingPeriod } from './waiting-member.queries.ts'

/**
 * Adds a new account to the system groups of its role and publishes that. Call it for every account but the system
 * bot.
 */
export async function joinSystemGroups(
  tx: PrismaTx,
  account: Account,
  requestId: string | null,
): Promise<void> {
  const isWaiting = account.role === Role.member && (await startWaitingPeriod(tx, account.id))
  await publishMembershipChange(tx, account, [], directGroupsOf({ role: account.role, isWaiting }), requestId)
}

/**
 * Moves an account between system groups after a change of role. For clients, a deactivated one is in no group. The account
 * must be locked.
 */
export async function changeSystemGroups(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  if (before.role === after.role || after.isSystemBot) return
  const waited = before.role === Role.member && (await stopWaitingPeriod(tx, after.id))
  const waits = after.role === Role.member && (await startWaitingPeriod(tx, after.id))
  if (!after.isActive) return
  const left = directGroupsOf({ role: before.role, isWaiting: waited })
  await publishMembershipChange(
    tx,
    after,
    left,
    directGroupsOf({ role: after.role, isWaiting: waits }),
    requestId,
  )
}

async function publishMembershipChange(
  tx: PrismaTx,
  { id, realmId }: Account,
  before: readonly number[],
  after: readonly number[],
  requestId: string | null,
): Promise<void> {
  const change = diffMembership(id, before, after)
  await publish(tx, domainEvents.users.systemGroupMembersChanged, change, { realmId, requestId })
}
