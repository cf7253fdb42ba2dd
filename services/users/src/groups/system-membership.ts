import { domainEvents, Role } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../context.ts'
import { directGroupsOf, membershipChange } from './system-groups.rules.ts'
import { startWaiting, stopWaiting } from './waiting-member.queries.ts'

const publish = publisherOf('users')

/** Puts a new account into the groups of its role, and tells everyone. Call it for every account but the server's own. */
export async function joinSystemGroups(
  tx: PrismaTx,
  person: Person,
  requestId: string | null,
): Promise<void> {
  const isWaiting = person.role === Role.member && (await startWaiting(asTx(tx), person.id))
  await tell(tx, person, [], directGroupsOf({ role: person.role, isWaiting }), requestId)
}

/** Moves an account between groups after its role changed. The account must be locked. */
export async function changeSystemGroups(
  tx: PrismaTx,
  before: Person,
  after: Person,
  requestId: string | null,
): Promise<void> {
  if (before.role === after.role || after.isSystemBot) return
  const waited = before.role === Role.member && (await stopWaiting(asTx(tx), after.id))
  const waits = after.role === Role.member && (await startWaiting(asTx(tx), after.id))
  const left = directGroupsOf({ role: before.role, isWaiting: waited })
  await tell(tx, after, left, directGroupsOf({ role: after.role, isWaiting: waits }), requestId)
}

async function tell(
  tx: PrismaTx,
  { id, realmId }: Person,
  before: readonly number[],
  after: readonly number[],
  requestId: string | null,
): Promise<void> {
  const change = membershipChange(id, before, after)
  await publish(asTx(tx), domainEvents.users.systemGroupMembersChanged, change, { realmId, requestId })
}
