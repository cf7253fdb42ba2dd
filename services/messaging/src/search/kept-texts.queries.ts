import type { Queryable, Tx } from '@tms/service-kit'

/** The highest ID that any message was given so far, stored or not; 0 if there was none. */
export async function findLastIssued(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-last-issued',
    text: `select case when is_called then last_value else 0 end as id from message_ids`,
  })
  return rows[0]?.id ?? 0
}

/** How far the texts are kept, as seen by the transaction `xid`. */
export interface Progress {
  readonly upTo: number
  readonly xid: string
  /** All transactions before the one that was asked about have ended. */
  readonly areEarlierOver: boolean
}

/** Locks the progress for the keeper; null when another one has it, or did all there was to do just now. */
export async function lockProgress(tx: Tx, askedXid: string): Promise<Progress | null> {
  const { rows } = await tx.query<Progress>({
    name: 'lock-search-progress',
    text: `
      select up_to as "upTo", pg_current_xact_id()::text as xid,
             pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as "areEarlierOver"
        from search_progress
       where due_at <= clock_timestamp()
         for update skip locked`,
    values: [askedXid],
  })
  return rows[0] ?? null
}

/**
 * Keeps the texts of at most `limit` messages with IDs above `above` up to `upTo`, lowest first, and says how many.
 * Passes over messages that are being changed: their text would be an old one. Until the transaction ends, none of
 * the others can be changed.
 */
export async function keepTexts(tx: Tx, above: number, upTo: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'keep-texts',
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
      ), kept as (
        insert into message_texts (message_id, recipient_id, sender_id, text, marks)
        select id, recipient_id, sender_id, message_text(topic, content),
               message_marks(topic, has_link, has_image, has_attachment)
          from due
        returning 1
      )
      select count(*) as count from kept`,
    values: [above, upTo, limit],
  })
  return rows[0]?.count ?? 0
}

/**
 * Notes that the texts are kept up to `settled`, of which nothing is stored any more, or to before the first message
 * whose text is missing; returns up to where. Nobody need look again for `restMs`.
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

/** Moves what was appended to the indexes of texts to where it is found fast. Cheap if there is nothing. */
export async function takeInPending(db: Queryable): Promise<void> {
  await db.query({
    name: 'take-in-pending',
    text: `select gin_clean_pending_list('message_texts_found')`,
  })
}
