import type { Queryable } from '@tms/service-kit'

/**
 * Claims the report that is due for an installation, so that one replica makes it; the next one is due after `nextMs`.
 * Returns whether there is one to make.
 */
export async function claimReport(db: Queryable, organization: string, nextMs: number): Promise<boolean> {
  const { rows } = await db.query(
    `insert into push_relay_reports as reports (organization, due_at)
     values ($1, now() + $2 * interval '1 millisecond')
         on conflict (organization) do update
            set due_at = excluded.due_at
          where reports.due_at <= now()
     returning true`,
    [organization, nextMs],
  )
  return rows.length > 0
}

/** Has a report made after `delayMs`. */
export async function postponeReport(db: Queryable, organization: string, delayMs: number): Promise<void> {
  await db.query(
    `update push_relay_reports set due_at = now() + $2 * interval '1 millisecond' where organization = $1`,
    [organization, delayMs],
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
