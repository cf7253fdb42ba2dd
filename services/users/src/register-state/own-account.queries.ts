import type { Queryable } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { ACCOUNT_COLUMNS } from '../kernel/accounts/account-list.queries.ts'

/**
 * Role and activity of an account, with the snapshot in which they were read. Null if the organization has no such
 * account.
 */
export async function findAccountWithSnapshot(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<{ snapshot: string; role: number; isActive: boolean } | null> {
  const { rows } = await db.query<{ snapshot: string; role: number; isActive: boolean }>({
    name: 'account-with-snapshot',
    text: `select pg_current_snapshot()::text as snapshot, role, is_active as "isActive"
           from accounts where id = $1 and realm_id = $2`,
    values: [id, realmId],
  })
  return rows[0] ?? null
}

/** Null if the organization has no such account. */
export async function findOwnAccount(db: Queryable, realmId: number, id: number): Promise<Account | null> {
  const { rows } = await db.query<Account>(
    `select ${ACCOUNT_COLUMNS} from accounts where id = $1 and realm_id = $2`,
    [id, realmId],
  )
  return rows[0] ?? null
}
