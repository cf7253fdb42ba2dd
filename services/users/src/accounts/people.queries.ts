import type { Queryable } from '@tms/service-kit'
import type { Person } from './account.queries.ts'
import type { ShownPerson } from './user-record.ts'

/** What records of people are made of. */
export const SHOWN = `
  id, realm_id as "realmId", email, delivery_email as "deliveryEmail", full_name as "fullName", role,
  is_active as "isActive", is_bot as "isBot", bot_type as "botType", bot_owner_id as "botOwnerId", is_system_bot as "isSystemBot", timezone,
  date_joined as "dateJoined", avatar_source as "avatarSource", avatar_version as "avatarVersion", avatar_file as "avatarFile",
  email_address_visibility as "emailAddressVisibility", profile_data as "profileData"`

/** What a person is read from: a row of `accounts`. */
export const PERSON = `${SHOWN}, settings, alert_words as "alertWords", muted_users as "mutedUsers", version`

/** Everyone in an organization, by ID. */
export async function listPeople(db: Queryable, realmId: number): Promise<ShownPerson[]> {
  const { rows } = await db.query<ShownPerson>({
    name: 'people-of-realm',
    text: `select ${SHOWN} from accounts where realm_id = $1 order by id`,
    values: [realmId],
  })
  return rows
}

/** Those who have one of the IDs or, in lower case, one of the API e-mails; of one organization, or of all. */
export async function listPeopleBy(
  db: Queryable,
  asked: { realmId: number | null; ids: number[]; foldedEmails: string[] },
): Promise<Person[]> {
  const { rows } = await db.query<Person>(
    `select ${PERSON}
       from accounts
      where (id = any ($2::int[]) or email_lower = any ($3::text[]))
        and ($1::int is null or realm_id = $1)
      order by id`,
    [asked.realmId, asked.ids, asked.foldedEmails],
  )
  return rows
}

/** The next people in the order of their IDs; served by an index with and without an organization. */
export async function listPeoplePage(
  db: Queryable,
  page: { realmId: number | null; afterId: number; limit: number },
): Promise<Person[]> {
  const { rows } =
    page.realmId === null
      ? await db.query<Person>(`select ${PERSON} from accounts where id > $1 order by id limit $2`, [
          page.afterId,
          page.limit,
        ])
      : await db.query<Person>(
          `select ${PERSON} from accounts where realm_id = $1 and id > $2 order by id limit $3`,
          [page.realmId, page.afterId, page.limit],
        )
  return rows
}

/** What a queue must know of an account, with the snapshot that it is of; null if the organization has none of this ID. */
export async function findPosition(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<{ snapshot: string; role: number; isActive: boolean } | null> {
  const { rows } = await db.query<{ snapshot: string; role: number; isActive: boolean }>({
    name: 'position',
    text: `select pg_current_snapshot()::text as snapshot, role, is_active as "isActive"
           from accounts where id = $1 and realm_id = $2`,
    values: [id, realmId],
  })
  return rows[0] ?? null
}

/** One account; null if the organization has none of this ID. */
export async function findPersonById(db: Queryable, realmId: number, id: number): Promise<Person | null> {
  const { rows } = await db.query<Person>(`select ${PERSON} from accounts where id = $1 and realm_id = $2`, [
    id,
    realmId,
  ])
  return rows[0] ?? null
}
