import type { Queryable } from '@tms/service-kit'

/**
 * Claims the report that is due for an installation, so that one replica makes it; if that doesn't say so within
 * `leaseMs`, another one does. Returns the claim; null if no report is due.
 */
export async function claimReport(
  db: Queryable,
  organization: string,
  leaseMs: number,
): Promise<string | null> {
  const { rows } = await db.query<{ claim: string }>(
    `insert into push_relay_reports as reports (organization, due_at)
     values ($1, now() + $2 * interval '1 millisecond')
         on conflict (organization) do update
            set due_at = excluded.due_at
          where reports.due_at <= now()
     returning due_at::text as claim`,
    [organization, leaseMs],
  )
  return rows[0]?.claim ?? null
}

/** Has the next report made after `delayMs`, unless it was asked for since the claim. */
export async function postponeReport(
  db: Queryable,
  organization: string,
  claim: string,
  delayMs: number,
): Promise<void> {
  await db.query(
    `update push_relay_reports
        set due_at = now() + $3 * interval '1 millisecond'
      where organization = $1 and due_at = $2::timestamptz`,
    [organization, claim, delayMs],
  )
}

/** Has a report made at once, unless that was asked for within `minMs`. Returns whether it is. */
export async function hastenReport(db: Queryable, organization: string, minMs: number): Promise<boolean> {
  const { rows } = await db.query(
    `update push_relay_reports
        set due_at = now(), hastened_at = now()
      where organization = $1
        and coalesce(hastened_at, '-infinity') <= now() - $2 * interval '1 millisecond'
     returning true`,
    [organization, minMs],
  )
  return rows.length > 0
}
