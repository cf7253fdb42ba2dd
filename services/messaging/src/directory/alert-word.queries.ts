import { type Pool, readRows, streamSnapshot } from '@tms/service-kit'

/** Whose alert words changed, and where to go on asking. */
export interface AlertWordChanges {
  readonly cursor: string
  /** All that each of them watches for now. */
  readonly changes: readonly { readonly userId: number; readonly words: readonly string[] }[]
}

/** Of whom there are none, it is one row all the same, which says where to go on. */
interface Row {
  readonly cursor: string
  readonly userId: number | null
  readonly words: string[] | null
}

/**
 * Whose alert words in an organization changed since a cursor; without one, all who have any. Where to go on is of the
 * same snapshot: transactions below its oldest running one are all seen, so nothing is left out that commits late; what is
 * above it may come again.
 */
export async function readAlertWordChanges(
  db: Pool,
  realmId: number,
  since: string | null,
): Promise<AlertWordChanges> {
  const rows = since === null ? await listAll(db, realmId) : await listChanged(db, realmId, since)
  return {
    cursor: rows[0]?.cursor ?? '0',
    changes: rows.flatMap(({ userId, words }) => (userId === null ? [] : [{ userId, words: words ?? [] }])),
  }
}

const COLUMNS = `
  pg_snapshot_xmin(pg_current_snapshot())::text as cursor, user_id as "userId", projection -> 'alert_words' as words`

/** A few at a time: to take in a hundred thousand rows at once holds up everyone for a quarter of a second. */
async function listAll(db: Pool, realmId: number): Promise<Row[]> {
  // Of the index `known_users_alert_words`.
  const sql = `
    select ${COLUMNS}
      from (values (1)) as once
      left join known_users on realm_id = $1 and projection -> 'alert_words' <> '[]'`
  const rows: Row[] = []
  for await (const row of streamSnapshot(db, (tx) => readRows<Row>(tx, sql, [realmId]))) rows.push(row)
  return rows
}

async function listChanged(db: Pool, realmId: number, since: string): Promise<Row[]> {
  // Of the index `known_users_changed_alert_words`, where nothing is found but for a moment after a change.
  const { rows } = await db.query<Row>({
    name: 'changed-alert-words',
    text: `
      select ${COLUMNS}
        from (values (1)) as once
        left join known_users on realm_id = $1 and alert_words_xid >= $2::xid8`,
    values: [realmId, since],
  })
  return rows
}
