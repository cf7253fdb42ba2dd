import type { Tx } from '@tms/service-kit'

/** What there may be of an organization that nobody has entered yet, in an order that references allow. */
const REMOVALS = [
  'delete from invitations where realm_id = $1',
  'delete from user_groups where realm_id = $1',
  'delete from waiting_members where realm_id = $1',
  'delete from guest_visibility using accounts where accounts.id = guest_id and accounts.realm_id = $1',
  'delete from guest_visibility_policies where realm_id = $1',
  'delete from bots using accounts where accounts.id = bots.user_id and accounts.realm_id = $1',
  'delete from accounts where realm_id = $1',
  'delete from setting_defaults where realm_id = $1',
] as const

/** Takes away everything of an organization. */
export async function deleteOrganization(tx: Tx, realmId: number): Promise<void> {
  for (const removal of REMOVALS) await tx.query(removal, [realmId])
}
