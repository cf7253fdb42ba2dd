import { EmailVisibility } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** A user in a list. */
export interface ListedUser {
  readonly id: number
  readonly fullName: string
  /** The one that administrators may see. */
  readonly email: string
  readonly role: number
}

interface Wanted {
  readonly isActive: boolean
  /** Parts of the name or the address, all of which a user has; none for everyone. */
  readonly parts: readonly string[]
  /** The last user of the page before; null for the first page. */
  readonly afterId: number | null
  readonly limit: number
}

/** As in the index `accounts_search`. */
const SEARCHED = `lower(full_name || ' ' ||
  case when email_address_visibility = ${EmailVisibility.nobody} then '' else delivery_email end)`

/** People of an organization by name. A page begins after the name that its predecessor's last user has now. */
export async function listUsersPage(
  db: Queryable,
  realmId: number,
  { isActive, parts, afterId, limit }: Wanted,
): Promise<ListedUser[]> {
  const conditions = ['realm_id = $1', 'is_active = $2', 'not is_bot']
  const values: unknown[] = [realmId, isActive, limit]
  for (const part of parts) {
    values.push(`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`)
    conditions.push(`${SEARCHED} like lower($${values.length})`)
  }
  if (afterId !== null) {
    values.push(afterId)
    conditions.push(`(lower(full_name), id) >
      (select lower(full_name), id from accounts where realm_id = $1 and id = $${values.length}::bigint)`)
  }
  const { rows } = await db.query<ListedUser>(
    `select id,
            full_name as "fullName",
            case when email_address_visibility = ${EmailVisibility.nobody} then email else delivery_email end as email,
            role
       from accounts
      where ${conditions.join(' and ')}
      order by lower(full_name), id
      limit $3`,
    values,
  )
  return rows
}
