import type { Queryable } from '@tms/service-kit'

/** What decides whether sessions of an account are valid. */
export interface SessionGrounds {
  readonly isActive: boolean
  readonly isBot: boolean
  readonly accountGeneration: number
  readonly realmGeneration: number
}

/** Null for an account that the organization doesn't have. */
export async function findSessionGrounds(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<SessionGrounds | null> {
  const { rows } = await db.query<SessionGrounds>({
    name: 'session-grounds',
    text: `select account.is_active as "isActive",
                  account.is_bot as "isBot",
                  account.session_generation as "accountGeneration",
                  coalesce(known_realms.session_generation, 0) as "realmGeneration"
             from accounts account
             left join known_realms on known_realms.realm_id = account.realm_id
            where account.id = $2::bigint
              and account.realm_id = $1`,
    values: [realmId, userId],
  })
  return rows[0] ?? null
}
