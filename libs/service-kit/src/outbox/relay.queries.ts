import type { Pool } from '../postgres/pool.ts'

/** A domain event with its sequence number, ready to be published. */
export interface ClaimedEvent {
  readonly seq: number
  readonly event: string
  readonly realmId: number
  /** JSON text, made by SQL up to the payload, which is appended as it is. */
  readonly body: string
  /** Trace context of the event. */
  readonly traceparent: string | null
  /** Whether it brings entries of the audit log. */
  readonly isAudited: boolean
}

const BODY = `
  json_build_object('stream', o.stream, 'source', $1::text, 'seq', o.seq, 'xid', o.xid::text::bigint,
    'at', (extract(epoch from o.created_at) * 1000)::bigint, 'event', o.event, 'realm_id', o.realm_id,
    'request_id', o.request_id)::text as head`

const asClaimed = ({ seq, event, realmId, head, payload, traceparent, isAudited }: Row): ClaimedEvent => ({
  seq,
  event,
  realmId,
  body: `${head.slice(0, -1)},"payload":${payload}}`,
  traceparent,
  isAudited,
})

interface Row {
  seq: number
  event: string
  realmId: number
  head: string
  payload: string
  traceparent: string | null
  isAudited: boolean
}

/**
 * Takes the relay's lease for `leaseMs` if it is free or has expired. Returns the new fencing token, or null while
 * another replica has it.
 */
export async function claimLease(db: Pool, leaseMs: number): Promise<number | null> {
  const { rows } = await db.query<{ token: number }>(
    `update outbox_relay
        set token = token + 1, leased_until = clock_timestamp() + $1 * interval '1 ms'
      where leased_until < clock_timestamp()
      returning token`,
    [leaseMs],
  )
  return rows[0]?.token ?? null
}

/** Extends the lease. Returns false if another replica has taken it. */
export async function renewLease(db: Pool, token: number, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update outbox_relay set leased_until = clock_timestamp() + $2 * interval '1 ms' where token = $1`,
    [token, leaseMs],
  )
  return rowCount === 1
}

/**
 * Releases the lease, so that another replica need not wait until it expires; deletes what the broker confirmed last (as `claimNext`),
 * so that it isn't published again.
 */
export async function releaseLease(
  db: Pool,
  { token, deletedSeq, confirmedSeq }: { token: number; deletedSeq: number; confirmedSeq: number },
): Promise<void> {
  await db.query(
    `with lease as (
       update outbox_relay set leased_until = '-infinity' where token = $1 returning true
     )
     delete from outbox where seq > $2 and seq <= $3 and exists (select from lease)`,
    [token, deletedSeq, confirmedSeq],
  )
}

/** How much is read and published at once: at most `limit` events and `bytes` bytes together, but at least one event. */
export interface BatchLimits {
  readonly limit: number
  readonly bytes: number
}

/**
 * The first events that match a condition and fit in one batch, numbered from 1. Large payloads are stored out of
 * line (TOAST), so their size is read without them. PostgreSQL doesn't see the limit when it plans: otherwise a statement with
 * it is planned anew each time, which took as long as the rest of a claim.
 */
const batchOf = (condition: string, order: 'id' | 'seq', limit: string, bytes: string): string => `
  select id, nth
    from (
      select id, row_number() over up_to as nth, sum(octet_length(payload)) over up_to as bytes
        from (select id, seq, payload from outbox where ${condition} order by ${order} limit (select ${limit}::bigint)) nearest
      window up_to as (order by ${order} rows unbounded preceding)
    ) weighed
   where nth = 1 or bytes <= ${bytes}`

/**
 * Events after `afterSeq` that an earlier lease holder claimed and may or may not have published, in order: the next
 * batch of them, none if there are no more.
 */
export async function listClaimed(
  db: Pool,
  options: BatchLimits & { source: string; afterSeq: number },
): Promise<ClaimedEvent[]> {
  const { rows } = await db.query<Row>(
    `select o.seq, o.event, o.realm_id as "realmId", o.payload, o.traceparent, o.audit is not null as "isAudited", ${BODY}
       from (
         select outbox.*, outbox_relay.stream
           from (${batchOf('seq > $2', 'seq', '$3', '$4')}) batch join outbox using (id), outbox_relay
       ) o
      order by o.seq`,
    [options.source, options.afterSeq, options.limit, options.bytes],
  )
  return rows.map(asClaimed)
}

/** Number of events that the broker hasn't confirmed yet, counted up to `most`. */
export async function countWaiting(db: Pool, most: number): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    'select count(*) as waiting from (select from outbox limit $1) counted',
    [most],
  )
  return rows[0]?.waiting ?? 0
}

/** How long the oldest event has waited for the broker's confirm, in seconds; 0 if none waits. */
export async function findOldestAge(db: Pool): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `select extract(epoch from clock_timestamp() - created_at)::float8 as age from outbox order by id limit 1`,
  )
  return rows[0]?.age ?? 0
}

/**
 * Events of changes that aren't announced yet wait, and so do those inserted after them: a consumer that learns of a
 * change by its event must find it visible everywhere.
 */
const IS_ANNOUNCED = `
  id < coalesce((select min(waiting.id)
                   from outbox waiting
                  where exists (select from recent_changes where not is_announced)
                    and waiting.xid::text::bigint in (select changed_in from recent_changes where not is_announced)),
                9223372036854775807)`

/** Whether there is anything to claim; much cheaper than claiming. */
export async function hasUnclaimed(db: Pool): Promise<boolean> {
  const { rows } = await db.query({
    name: 'outbox-has-unclaimed',
    text: `select 1 from outbox where seq is null and ${IS_ANNOUNCED} limit 1`,
  })
  return rows.length > 0
}

/**
 * One statement, one commit: deletes the events that the broker confirmed (`seq` after `deletedSeq` up to `confirmedSeq`; without
 * the lower bound the index is read from its beginning, through all that were deleted since the last vacuum) and gives the
 * next batch of unclaimed ones, in the order of their insertion, the next sequence numbers of the stream. Their entries of the
 * audit log are put where they wait for their own confirm. Extends the lease. Returns null if the token has lost the lease.
 *
 * The picked rows are found by their IDs: with `o.seq is null`, PostgreSQL compared each of them with each unclaimed one. A claim
 * that waited for the lease, because its relay believed it lost and tried again, picks by its older snapshot rows that are
 * numbered by now, and leaves them as they are.
 *
 * It claims every visible row rather than "IDs above the last": IDs are assigned before the commit, and a late commit
 * would be skipped. Rows ordered by one lock still come out in that order, because the later one's ID is higher and
 * it isn't visible before the earlier one.
 */
export async function claimNext(
  db: Pool,
  options: BatchLimits & {
    source: string
    token: number
    deletedSeq: number
    confirmedSeq: number
    leaseMs: number
  },
): Promise<ClaimedEvent[] | null> {
  const { rows } = await db.query<Row>({
    name: 'outbox-claim',
    text: `
      with lease as (
        select stream, next_seq from outbox_relay where token = $2 for update
      ), confirmed as (
        delete from outbox
         where seq > (select $7::bigint) and seq <= (select $3::bigint) and exists (select from lease)
      ), picked as (
        select id, next_seq - 1 + nth as seq
          from (${batchOf(`seq is null and ${IS_ANNOUNCED}`, 'id', '$4', '$6')}) batch, lease
      ), claimed as (
        update outbox o set seq = picked.seq
          from picked where o.id = picked.id and coalesce(o.seq, 0) = 0
          returning o.seq, o.event, o.payload, o.traceparent, o.audit, o.xid, o.created_at, o.realm_id, o.request_id
      ), numbered as (
        select o.*, ${BODY} from (select claimed.*, lease.stream from claimed, lease) o
      ), audited as (
        insert into audit_outbox (body)
        select left(head, -1) || ',"audit":' || audit || '}' from numbered where audit is not null order by seq
      ), advanced as (
        update outbox_relay
           set next_seq = next_seq + (select count(*) from claimed),
               leased_until = clock_timestamp() + $5 * interval '1 ms'
         where token = $2
         returning true
      )
      select seq, event, realm_id as "realmId", payload, traceparent, audit is not null as "isAudited", head from numbered
      union all
      select null, null, null, null, null, null, null where not exists (select from lease)
      order by 1`,
    values: [
      options.source,
      options.token,
      options.confirmedSeq,
      options.limit,
      options.leaseMs,
      options.bytes,
      options.deletedSeq,
    ],
  })
  const [first] = rows
  if (first && first.seq === null) return null
  return rows.map(asClaimed)
}
