import { type Pool, readRows, streamSnapshot } from '@tms/service-kit'

/** Users whose alert words changed, and the cursor for the next read. */
export interface AlertWordChanges {
  readonly cursor: string
  /** All current alert words of each of these users. */
  readonly changes: readonly { readonly userId: number; readonly words: readonly string[] }[]
}

/** Without any user it is one row all the same, because the row carries the cursor. */
interface Row {
  readonly cursor: string
  readonly userId: number | null
  readonly words: string[] | null
}

/**
 * Users of an organization whose alert words changed since a cursor; without a cursor, all users who have any. The
 * next cursor comes from the same snapshot: every transaction below its oldest running one is visible, so a late
 * commit is never missed. Changes above it may be returned again.
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

/** Streams the rows: reading a hundred thousand at once would block the event loop for a quarter of a second. */
async function listAll(db: Pool, realmId: number): Promise<Row[]> {
  // Uses the index `known_users_alert_words`.
  const sql = `
    select ${COLUMNS}
      from (values (1)) as single_row
      left join known_users on realm_id = $1 and projection -> 'alert_words' <> '[]'`
  const rows: Row[] = []
  for await (const row of streamSnapshot(db, (tx) => readRows<Row>(tx, sql, [realmId]))) rows.push(row)
  return rows
}

async function listChanged(db: Pool, realmId: number, since: string): Promise<Row[]> {
  // Uses the index `known_users_changed_alert_words`, which is empty except for a moment after a change.
  const { rows } = await db.query<Row>({
    name: 'changed-alert-words',
    text: `
      select ${COLUMNS}
        from (values (1)) as single_row
        left join known_users on realm_id = $1 and alert_words_xid >= $2::xid8`,
    values: [realmId, since],
  })
  return rows
}
