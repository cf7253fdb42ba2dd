import type { Tx } from '@tms/service-kit'

/** Deletes the users of an organization. */
export async function deleteKnownUsers(tx: Tx, realmId: number): Promise<void> {
  await tx.query({
    name: 'delete-known-users',
    text: 'delete from known_users where realm_id = $1',
    values: [realmId],
  })
}

/** Deletes the groups of an organization. */
export async function deleteKnownGroups(tx: Tx, realmId: number): Promise<void> {
  await tx.query({
    name: 'delete-known-groups',
    text: 'delete from known_groups where realm_id = $1',
    values: [realmId],
  })
}
