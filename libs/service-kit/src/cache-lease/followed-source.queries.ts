import type { Queryable } from '../postgres/transaction.ts'

/** Up to which announcement a source is followed, and the cursor for changes after it. */
interface FollowedPosition {
  readonly epoch: string
  readonly seq: number
  readonly cursor: string
}

/** Null for a source that hasn't been followed yet. */
export async function findFollowedPosition(db: Queryable, source: string): Promise<FollowedPosition | null> {
  const { rows } = await db.query<FollowedPosition>({
    name: 'find-followed',
    text: 'select epoch, seq, cursor from followed_sources where source = $1',
    values: [source],
  })
  return rows[0] ?? null
}

/** Does nothing if another replica has saved the same or a later position. */
export async function saveFollowedPosition(
  db: Queryable,
  source: string,
  { epoch, seq, cursor }: FollowedPosition,
): Promise<void> {
  await db.query({
    name: 'save-followed',
    text: `
      insert into followed_sources as saved (source, cursor, epoch, seq)
      values ($1, $2, $3, $4)
          on conflict (source) do update
         set (cursor, epoch, seq) = (excluded.cursor, excluded.epoch, excluded.seq)
       where saved.epoch <> excluded.epoch
          or saved.seq < excluded.seq`,
    values: [source, cursor, epoch, seq],
  })
}

/** For a source that was queried while the number of the latest announcement was unknown. */
export async function saveCursor(db: Queryable, source: string, cursor: string): Promise<void> {
  await db.query({
    name: 'save-followed-cursor',
    text: `
      insert into followed_sources (source, cursor, epoch, seq)
      values ($1, $2, '', 0)
          on conflict (source) do update set cursor = excluded.cursor`,
    values: [source, cursor],
  })
}
