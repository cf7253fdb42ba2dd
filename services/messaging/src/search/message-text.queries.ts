import type { Queryable, Tx } from '@tms/service-kit'

/** The highest message ID issued so far, stored or not; 0 if there was none. */
export async function findLastIssued(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-last-issued',
    text: `select case when is_called then last_value else 0 end as id from message_ids`,
  })
  return rows[0]?.id ?? 0
}

/** Progress of the index, as the transaction `xid` sees it. */
export interface Progress {
  readonly upTo: number
  readonly xid: string
  /** All transactions before the given one have ended. */
  readonly haveEarlierEnded: boolean
}

/** Locks the progress for the indexer; null if another replica has it, or has just done all there was to do. */
export async function lockProgress(tx: Tx, earlierXid: string): Promise<Progress | null> {
  const { rows } = await tx.query<Progress>({
    name: 'lock-search-progress',
    text: `
      select up_to as "upTo", pg_current_xact_id()::text as xid,
             pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as "haveEarlierEnded"
        from search_progress
       where due_at <= clock_timestamp()
         for update skip locked`,
    values: [earlierXid],
  })
  return rows[0] ?? null
}

/**
 * Indexes at most `limit` messages with IDs above `above` up to `upTo`, lowest first, and returns their number. Skips
 * messages that are being changed, whose text would be outdated. The indexed messages can't change until the
 * transaction ends.
 */
export async function indexTexts(tx: Tx, above: number, upTo: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'index-texts',
    text: `
      with due as materialized (
        select m.*
          from messages m
         where m.id > $1
           and m.id <= $2
           and (select t.message_id from message_texts t where t.message_id = m.id) is null
         order by m.id
         limit $3
           for share of m skip locked
      ), indexed as (
        insert into message_texts (message_id, recipient_id, sender_id, text, marks)
        select id, recipient_id, sender_id, message_text(topic, content),
               message_marks(topic, has_link, has_image, has_attachment)
          from due
        returning 1
      )
      select count(*) as count from indexed`,
    values: [above, upTo, limit],
  })
  return rows[0]?.count ?? 0
}

/**
 * Records that messages are indexed up to `settled`, below which no message can appear any more, or up to the first
 * message that isn't indexed; returns that ID. No replica needs to index again for `restMs`.
 */
export async function advanceProgress(
  tx: Tx,
  { from, settled, restMs }: { from: number; settled: number; restMs: number },
): Promise<number> {
  const { rows } = await tx.query<{ upTo: number }>({
    name: 'advance-search-progress',
    text: `
      update search_progress
         set up_to = coalesce((select m.id - 1
                                 from messages m
                                where m.id > $1
                                  and m.id <= $2
                                  and (select t.message_id from message_texts t where t.message_id = m.id) is null
                                order by m.id
                                limit 1), greatest($1, $2)),
             due_at = clock_timestamp() + make_interval(secs => $3::double precision / 1000)
      returning up_to as "upTo"`,
    values: [from, settled, restMs],
  })
  return rows[0]?.upTo ?? from
}

/** Merges the pending entries of the text indexes, which makes them fast to search. Cheap if there are none. */
export async function flushPendingEntries(db: Queryable): Promise<void> {
  await db.query({
    name: 'flush-pending-entries',
    text: `select gin_clean_pending_list('message_texts_found')`,
  })
}
