import type { ReplayStatus } from '@tms/contracts'
import type { Pool, Queryable } from '../postgres/pool.ts'

/** What comes next: the stream from an offset on, or everything of a kind after an ID. */
export type Progress = { readonly next: number } | { readonly kind: string; readonly after: number }

/** A wish and how far it is. */
export interface Replay {
  readonly id: string
  readonly endOffset: number
  readonly progress: Progress
}

/** Takes the place of whatever was asked for before. */
export async function saveReplay(db: Queryable, { id, endOffset, progress }: Replay): Promise<void> {
  await db.query(
    `insert into projection_replay (id, end_offset, progress) values ($1, $2, $3)
         on conflict (is_only) do update
        set (id, end_offset, progress, checked, mended, started_at, finished_at, leased_until) =
            (excluded.id, excluded.end_offset, excluded.progress, 0, 0, now(), null, '-infinity')`,
    [id, endOffset, JSON.stringify(progress)],
  )
}

/** Takes what is to be done, for `leaseMs`, if no other replica does it. */
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

/** Notes what a round has done, and gives the lease back; `next` is null at the end. Does nothing for what was replaced. */
export async function saveProgress(
  db: Queryable,
  id: string,
  done: { checked: number; mended: number; next: Progress | null },
): Promise<void> {
  await db.query(
    `update projection_replay
        set checked = checked + $2, mended = mended + $3, progress = coalesce($4, progress),
            finished_at = case when $4::jsonb is null then now() end, leased_until = '-infinity'
      where id = $1`,
    [id, done.checked, done.mended, done.next === null ? null : JSON.stringify(done.next)],
  )
}

/** Gives the lease back when nothing was done. */
export async function returnReplay(db: Queryable, id: string): Promise<void> {
  await db.query(`update projection_replay set leased_until = '-infinity' where id = $1`, [id])
}

/** What was asked for last, and how far that is. */
export async function findReplay(db: Queryable): Promise<ReplayStatus | null> {
  const { rows } = await db.query<ReplayStatus>(
    `select id, (progress -> 'next')::bigint as next_offset, end_offset, checked, mended,
            floor(extract(epoch from started_at))::bigint as started_at,
            floor(extract(epoch from finished_at))::bigint as finished_at
       from projection_replay`,
  )
  return rows[0] ?? null
}

/** The last place applied of each stream. */
export async function listPositions(db: Queryable): Promise<{ stream: string; place: number }[]> {
  const { rows } = await db.query<{ stream: string; place: number }>(
    'select stream, seq as place from projection_position order by stream',
  )
  return rows
}
