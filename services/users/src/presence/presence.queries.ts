import type { Queryable } from '@tms/service-kit'
import type { PresentPerson } from './presence.rules.ts'

const PERSON = `id, email, floor(extract(epoch from date_joined))::int as "joinedAt"`

/** One's own account, and whether one shows presence; null if there is none. */
export async function findPinger(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<(PresentPerson & { showsPresence: boolean }) | null> {
  const { rows } = await db.query<PresentPerson & { showsPresence: boolean }>({
    name: 'pinger',
    text: `
      select ${PERSON}, coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"
        from accounts
       where id = $1
         and realm_id = $2`,
    values: [id, realmId],
  })
  return rows[0] ?? null
}

/** Those of the IDs who are people with an account in use. */
export async function findPresentPeople(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, PresentPerson>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<PresentPerson>({
    name: 'present-people',
    text: `
      select ${PERSON}
        from accounts
       where id = any ($1::int[])
         and realm_id = $2
         and is_active
         and not is_bot`,
    values: [ids, realmId],
  })
  return new Map(rows.map((person) => [person.id, person]))
}

/** Whether an organization has at most so many people with an account in use; the cost doesn't grow with it. */
export async function hasAtMostPeople(db: Queryable, realmId: number, most: number): Promise<boolean> {
  const { rows } = await db.query<{ isFew: boolean }>({
    name: 'has-at-most-people',
    text: `
      select count(*) <= $2 as "isFew"
        from (select from accounts where realm_id = $1 and is_active and not is_bot limit $2 + 1) as few`,
    values: [realmId, most],
  })
  return rows[0]?.isFew ?? false
}
