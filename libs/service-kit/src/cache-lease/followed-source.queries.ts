import type { Queryable } from '../postgres/pool.ts'

/** Up to where a source is followed, and from where to ask for what came later. */
interface Followed {
  readonly epoch: string
  readonly seq: number
  readonly cursor: string
}

/** Null for a source that hasn't been followed yet. */
export async function findFollowed(db: Queryable, source: string): Promise<Followed | null> {
  const { rows } = await db.query<Followed>({
    name: 'find-followed',
    text: 'select epoch, seq, cursor from followed_sources where source = $1',
    values: [source],
  })
  return rows[0] ?? null
}

/** Another replica may have saved the same, or more. */
export async function saveFollowed(
  db: Queryable,
  source: string,
  { epoch, seq, cursor }: Followed,
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

/** Of a source that was asked while nobody could say up to which announcement that is. */
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
