import type { Tx } from '@tms/service-kit'

/** Everything that an import may have written, in an order that foreign keys allow. */
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

export async function deleteOrganization(tx: Tx, realmId: number): Promise<void> {
  for (const removal of REMOVALS) await tx.query(removal, [realmId])
}
