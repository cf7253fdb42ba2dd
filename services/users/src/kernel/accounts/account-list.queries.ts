import type { Queryable, Tx } from '@tms/service-kit'
import { canBeId } from '../database/column-limits.ts'
import { locks } from '../locks.ts'
import type { Account } from './account.queries.ts'
import type { UserRecordRow } from './user-record.ts'

/** Columns of `accounts` from which user records are built. */
export const USER_RECORD_COLUMNS = `
  id, realm_id as "realmId", email, delivery_email as "deliveryEmail", full_name as "fullName", role,
  is_active as "isActive", is_bot as "isBot", bot_type as "botType", bot_owner_id as "botOwnerId", is_system_bot as "isSystemBot", timezone,
  date_joined as "dateJoined", avatar_source as "avatarSource", avatar_version as "avatarVersion", avatar_file as "avatarFile",
  email_address_visibility as "emailAddressVisibility", profile_data as "profileData"`

/** Columns of an `Account`. */
export const ACCOUNT_COLUMNS = `${USER_RECORD_COLUMNS}, settings, alert_words as "alertWords", muted_users as "mutedUsers", has_push_devices as "hasPushDevices", version`

/** All accounts of an organization, by ID. */
export async function listUserRecordRows(db: Queryable, realmId: number): Promise<UserRecordRow[]> {
  const { rows } = await db.query<UserRecordRow>({
    name: 'accounts-of-realm',
    text: `select ${USER_RECORD_COLUMNS} from accounts where realm_id = $1 order by id`,
    values: [realmId],
  })
  return rows
}

/** Accounts with one of the IDs or API e-mails (lower case); of all organizations if `realmId` is null. */
export async function listAccountsByIdOrEmail(
  db: Queryable,
  filter: { realmId: number | null; ids: number[]; foldedEmails: string[] },
): Promise<Account[]> {
  const { rows } = await db.query<Account>(
    `select ${ACCOUNT_COLUMNS}
       from accounts
      where (id = any ($2::int[]) or email_lower = any ($3::text[]))
        and ($1::int is null or realm_id = $1)
      order by id`,
    [filter.realmId, filter.ids, filter.foldedEmails],
  )
  return rows
}

/** Locks accounts of an organization as `lockAccount` does, in the order of their IDs. */
export async function lockAccounts(tx: Tx, realmId: number, ids: readonly number[]): Promise<Account[]> {
  const possibleIds = ids.filter(canBeId)
  tx.lockRecord.add(locks.accounts, possibleIds)
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT_COLUMNS}
       from accounts
      where realm_id = $1
        and id = any ($2::int[])
      order by id
        for no key update`,
    [realmId, possibleIds],
  )
  return rows
}

/** The next accounts by ID. An index serves it with and without an organization. */
export async function listAccountsPage(
  db: Queryable,
  page: { realmId: number | null; afterId: number; limit: number },
): Promise<Account[]> {
  const { rows } =
    page.realmId === null
      ? await db.query<Account>(
          `select ${ACCOUNT_COLUMNS} from accounts where id > $1 order by id limit $2`,
          [page.afterId, page.limit],
        )
      : await db.query<Account>(
          `select ${ACCOUNT_COLUMNS} from accounts where realm_id = $1 and id > $2 order by id limit $3`,
          [page.realmId, page.afterId, page.limit],
        )
  return rows
}
