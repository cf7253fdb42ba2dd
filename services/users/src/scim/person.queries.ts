import type { Queryable } from '@tms/service-kit'
import { foldUserName } from '../kernel/accounts/user-name.rules.ts'
import type { ProvisionedPerson } from './person.rules.ts'

/** People as provisioning sees them: without bots, and those that it deleted. */
const VISIBLE_PEOPLE = `
  select account.id,
         coalesce(known.user_name, account.delivery_email) as "userName",
         account.delivery_email as email,
         account.full_name as "fullName",
         account.role,
         account.is_active as "isActive",
         known.external_id as "externalId",
         account.date_joined as "dateJoined"
    from accounts account
    left join scim_accounts known on known.account_id = account.id
   where account.realm_id = $1
     and not account.is_bot
     and (account.is_active or known.is_deleted is not true)`

export async function findPerson(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<ProvisionedPerson | null> {
  const { rows } = await db.query<ProvisionedPerson>(`${VISIBLE_PEOPLE} and account.id = $2::bigint`, [
    realmId,
    id,
  ])
  return rows[0] ?? null
}

/** By ID, from a number on. */
export async function listPeoplePage(
  db: Queryable,
  realmId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ProvisionedPerson[]> {
  const { rows } = await db.query<ProvisionedPerson>(
    `${VISIBLE_PEOPLE} order by account.id limit $2 offset $3`,
    [...[realmId, limit, offset]],
  )
  return rows
}

/** The next people by ID. */
export async function listPeopleAfter(
  db: Queryable,
  realmId: number,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<ProvisionedPerson[]> {
  const { rows } = await db.query<ProvisionedPerson>(
    `${VISIBLE_PEOPLE} and account.id > $2 order by account.id limit $3`,
    [realmId, afterId, limit],
  )
  return rows
}

/** People with this address or user name, folded; at most a few. */
export async function listPeopleByName(
  db: Queryable,
  realmId: number,
  folded: string,
): Promise<ProvisionedPerson[]> {
  const { rows } = await db.query<ProvisionedPerson>(
    `${VISIBLE_PEOPLE}
     and account.id in (select id from accounts where realm_id = $1 and delivery_email_lower = $2
                        union all
                        select account_id from scim_accounts where realm_id = $1 and user_name_lower = $2)
     order by account.id`,
    [realmId, folded],
  )
  return rows
}

export async function listPeopleByExternalId(
  db: Queryable,
  realmId: number,
  externalId: string,
): Promise<ProvisionedPerson[]> {
  const { rows } = await db.query<ProvisionedPerson>(
    `${VISIBLE_PEOPLE}
     and account.id in (select account_id from scim_accounts where realm_id = $1 and external_id = $2)
     order by account.id`,
    [realmId, externalId],
  )
  return rows
}

export async function countPeople(db: Queryable, realmId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from accounts account
       left join scim_accounts known on known.account_id = account.id
      where account.realm_id = $1
        and not account.is_bot
        and (account.is_active or known.is_deleted is not true)`,
    [realmId],
  )
  return rows[0]?.count ?? 0
}

/**
 * The inactive account of the same person, which provisioning deleted; null if there is none. It has the address, or
 * the ID of the provisioning system; a user name is no sign, since it is given to other people. That of an owner isn't found: it
 * would come back with its role.
 */
export async function findDeletedPersonId(
  db: Queryable,
  realmId: number,
  { email, externalId }: { readonly email: string; readonly externalId: string | null },
  ownerRole: number,
): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `select account.id
       from accounts account
       join scim_accounts known on known.account_id = account.id
      where account.realm_id = $1
        and known.is_deleted
        and not account.is_active
        and account.role <> $4
        and (account.delivery_email_lower = $2 or known.external_id = $3)
      order by account.id
      limit 1`,
    [realmId, email, externalId, ownerRole],
  )
  return rows[0]?.id ?? null
}

/** Whether another account of the organization has this folded name as its user name or address. */
export async function isNameTaken(
  db: Queryable,
  realmId: number,
  folded: string,
  exceptId: number | null,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from accounts
      where realm_id = $1 and delivery_email_lower = $2 and id is distinct from $3
     union all
     select 1 from scim_accounts
      where realm_id = $1 and user_name_lower = $2 and account_id is distinct from $3
      limit 1`,
    [realmId, folded, exceptId],
  )
  return rows.length > 0
}

/** What provisioning says of a person beside the account. */
export interface Provisioned {
  readonly externalId: string | null
  /** Null if it is the address. */
  readonly userName: string | null
  readonly isDeleted: boolean
}

/** Lock the account first. */
export async function saveProvisioned(
  tx: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  { externalId, userName, isDeleted }: Provisioned,
): Promise<void> {
  await tx.query(
    `insert into scim_accounts (account_id, realm_id, external_id, user_name, user_name_lower, is_deleted)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id) do update
       set external_id = excluded.external_id,
           user_name = excluded.user_name,
           user_name_lower = excluded.user_name_lower,
           is_deleted = excluded.is_deleted`,
    [id, realmId, externalId, userName, foldUserName(userName), isDeleted],
  )
}

/** Marks an account that provisioning deleted, whose user name is free then, or brought back. Lock it first. */
export async function markDeleted(
  tx: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  isDeleted: boolean,
): Promise<void> {
  await tx.query(
    `insert into scim_accounts (account_id, realm_id, is_deleted) values ($1, $2, $3)
     on conflict (account_id) do update
       set is_deleted = excluded.is_deleted,
           user_name = case when $3 then null else scim_accounts.user_name end,
           user_name_lower = case when $3 then null else scim_accounts.user_name_lower end`,
    [id, realmId, isDeleted],
  )
}
