import type { ReplayStatus } from '@tms/contracts'
import type { Pool } from '../postgres/pool.ts'
import type { Queryable } from '../postgres/transaction.ts'

/** Where the replay continues: at an offset of the stream, or after an ID of one kind of record. */
export type Progress = { readonly next: number } | { readonly kind: string; readonly after: number }

/** A requested replay and its progress. */
export interface Replay {
  readonly id: string
  readonly endOffset: number
  readonly progress: Progress
}

/** Replaces the previous replay. */
export async function saveReplay(db: Queryable, { id, endOffset, progress }: Replay): Promise<void> {
  await db.query(
    `insert into projection_replay (id, end_offset, progress) values ($1, $2, $3)
         on conflict (is_only) do update
        set (id, end_offset, progress, checked, repaired, started_at, finished_at, leased_until) =
            (excluded.id, excluded.end_offset, excluded.progress, 0, 0, now(), null, '-infinity')`,
    [id, endOffset, JSON.stringify(progress)],
  )
}

/** Takes the unfinished replay for `leaseMs`, unless another replica works at it. */
export async function claimReplay(db: Pool, leaseMs: number): Promise<Replay | null> {
  const { rows } = await db.query<Replay>(
    `update projection_replay
        set leased_until = clock_timestamp() + $1 * interval '1 ms'
      where finished_at is null
        and leased_until < clock_timestamp()
      returning id, end_offset as "endOffset", progress`,
    [leaseMs],
  )
  return rows[0] ?? null
}

/**
 * Saves what a round has done and releases the lease; `next` is null at the end. Does nothing if another replay
 * replaced this one.
 */
export async function saveProgress(
  db: Queryable,
  id: string,
  done: { checked: number; repaired: number; next: Progress | null },
): Promise<void> {
  await db.query(
    `update projection_replay
        set checked = checked + $2, repaired = repaired + $3, progress = coalesce($4, progress),
            finished_at = case when $4::jsonb is null then now() end, leased_until = '-infinity'
      where id = $1`,
    [id, done.checked, done.repaired, done.next === null ? null : JSON.stringify(done.next)],
  )
}

/** Releases the lease when nothing was done. */
export async function returnReplay(db: Queryable, id: string): Promise<void> {
  await db.query(`update projection_replay set leased_until = '-infinity' where id = $1`, [id])
}

/** The replay that was requested last, with its progress. */
export async function findReplay(db: Queryable): Promise<ReplayStatus | null> {
  const { rows } = await db.query<ReplayStatus>(
    `select id, (progress -> 'next')::bigint as next_offset, end_offset, checked, repaired,
            floor(extract(epoch from started_at))::bigint as started_at,
            floor(extract(epoch from finished_at))::bigint as finished_at
       from projection_replay`,
  )
  return rows[0] ?? null
}

/** The last sequence number applied of each stream. */
export async function listPositions(db: Queryable): Promise<{ stream: string; seq: number }[]> {
  const { rows } = await db.query<{ stream: string; seq: number }>(
    'select stream, seq from projection_position order by stream',
  )
  return rows
}
