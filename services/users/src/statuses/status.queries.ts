import type { Queryable } from '@tms/service-kit'
import type { StoredStatus } from './status.rules.ts'

export interface StatusRow {
  readonly id: number
  readonly isBot: boolean
  readonly status: StoredStatus
  readonly showsPresence: boolean
}

const STATUS = `id, is_bot as "isBot", status, coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"`

/** Null if the organization has no such account. */
export async function findStatus(db: Queryable, realmId: number, id: number): Promise<StatusRow | null> {
  const { rows } = await db.query<StatusRow>(
    `select ${STATUS} from accounts where id = $1 and realm_id = $2`,
    [id, realmId],
  )
  return rows[0] ?? null
}

/** Accounts with a status or hidden presence, from a partial index. */
export async function listStatuses(db: Queryable, realmId: number): Promise<StatusRow[]> {
  const { rows } = await db.query<StatusRow>({
    name: 'statuses-of-realm',
    text: `
      select ${STATUS}
        from accounts
       where realm_id = $1
         and (status <> '{}' or settings ->> 'presence_enabled' = 'false')
       order by id`,
    values: [realmId],
  })
  return rows
}

/** Lock the account first. */
export async function saveStatus(tx: Queryable, id: number, status: StoredStatus): Promise<void> {
  await tx.query('update accounts set status = $2::jsonb where id = $1', [id, JSON.stringify(status)])
}
