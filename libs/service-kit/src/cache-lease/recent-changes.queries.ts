import type { Queryable, Tx } from '../postgres/transaction.ts'

/** A changed subject: its kind and ID. */
export interface RecentChange {
  readonly kind: string
  readonly subjectId: number
}

/** Changes that are still to be announced. */
export interface PendingChanges {
  readonly ids: number[]
  readonly changes: RecentChange[]
  /**
   * Once these are announced, everything committed before the cursor is announced: a replica that misses a later
   * announcement queries the changes after it.
   */
  readonly cursor: string
}

const STREAM = `(select stream from outbox_relay)`

/** Whether a change waits to be announced; with an age, one that has waited for at least that long. */
export async function hasPendingChanges(db: Queryable, minAgeMs: number | null = null): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-pending-changes',
    text: `select 1 from recent_changes
            where not is_announced
              and ($1::float8 is null or changed_at <= clock_timestamp() - $1::float8 * interval '1 ms')
            limit 1`,
    values: [minAgeMs],
  })
  return rows.length > 0
}

/**
 * Stops triggers from recording the changes of this transaction. An import fills an organization that nobody can use
 * yet, and its hundred thousand accounts would delay the changes of all others.
 */
export async function leaveUnannounced(tx: Tx): Promise<void> {
  await tx.query(`select set_config('tms.unannounced', 'on', true)`)
}

/** Whether the running transaction changed something that others follow. */
export async function hasOwnChanges(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 as changed from recent_changes where changed_in = pg_current_xact_id_if_assigned()::text::bigint limit 1',
  )
  return rows.length > 0
}

/** The oldest changes that wait to be announced, except those that are being announced. */
export async function listPendingChanges(
  db: Queryable,
  { limit, except }: { readonly limit: number; readonly except: readonly number[] },
): Promise<PendingChanges> {
  const { rows } = await db.query<{ ids: number[] | null; changes: RecentChange[] | null; cursor: string }>({
    name: 'list-pending-changes',
    text: `
      with pending as (
        select id, kind, subject_id, changed_in,
               row_number() over (order by id) > $1 as is_later
          from recent_changes
         where not is_announced
           and id <> all ($2::bigint[])
      )
      select json_agg(id) filter (where not is_later) as ids,
             json_agg(distinct jsonb_build_object('kind', kind, 'subjectId', subject_id))
               filter (where not is_later) as changes,
             ${STREAM} || ':' || least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
                                       min(changed_in) filter (where is_later)) as cursor
        from pending`,
    values: [limit, except],
  })
  const [row] = rows
  return { ids: row?.ids ?? [], changes: row?.changes ?? [], cursor: row?.cursor ?? '' }
}

/** Marks changes as announced: their events may be published now. */
export async function markAnnounced(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query({
    name: 'mark-announced',
    text: 'update recent_changes set is_announced = true where id = any ($1::bigint[]) and not is_announced',
    values: [ids],
  })
}

/**
 * Stores the epoch of leases in which the service was started on this database for the first time, empty if it isn't known; changes
 * nothing at later starts. Returns the stored one.
 */
export async function keepFirstEpoch(db: Queryable, epoch: string): Promise<string> {
  await db.query('update recent_changes_horizon set first_epoch = $1 where first_epoch is null', [epoch])
  const { rows } = await db.query<{ epoch: string }>(
    'select first_epoch as epoch from recent_changes_horizon',
  )
  return rows[0]?.epoch ?? ''
}

/** Changes since the cursor of an earlier answer; null if they aren't known any more, or are more than `limit`. */
export interface RecentChangesPage<Change = RecentChange[]> {
  readonly cursor: string
  readonly changes: Change | null
}

/**
 * The changes since a cursor, in one snapshot with the next cursor. All transactions below the snapshot's oldest
 * running one are visible, so a late commit isn't missed; changes above it may come again.
 */
export async function listChangesSince(
  db: Queryable,
  since: string | null,
  limit: number,
): Promise<RecentChangesPage> {
  const [stream = '', changedIn = ''] = (since ?? '').split(':')
  const { rows } = await db.query<{ cursor: string; isKnown: boolean; changes: RecentChange[] | null }>({
    name: 'list-changes-since',
    text: `
      select ${STREAM} || ':' || pg_snapshot_xmin(pg_current_snapshot()) as cursor,
             ${STREAM}::text = $1 and $2 > (select changed_in from recent_changes_horizon) as "isKnown",
             (select json_agg(jsonb_build_object('kind', kind, 'subjectId', subject_id))
                from (select distinct kind, subject_id from recent_changes where changed_in >= $2 limit $3) since) as changes`,
    values: [stream, /^\d{1,18}$/.test(changedIn) ? Number(changedIn) : 0, limit + 1],
  })
  const [row] = rows
  if (!row) throw new Error('a select without a condition gave no row')
  const changes = row.changes ?? []
  return { cursor: row.cursor, changes: row.isKnown && changes.length <= limit ? changes : null }
}

/** Deletes announced changes that are older than this. */
export async function deleteOldChanges(db: Queryable, ageSeconds: number): Promise<void> {
  await db.query(
    `with deleted as (
       delete from recent_changes
        where is_announced and changed_at < now() - $1 * interval '1 s'
       returning changed_in
     )
     update recent_changes_horizon
        set changed_in = greatest(recent_changes_horizon.changed_in, last.changed_in)
       from (select max(changed_in) as changed_in from deleted) last
      where last.changed_in is not null`,
    [ageSeconds],
  )
}
