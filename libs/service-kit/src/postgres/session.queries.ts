import type pg from 'pg'

/** Of these sessions, by their names, those that the server works for, or may: one that notes no activities doesn't know. */
export async function listWorkingSessions(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name
       from pg_stat_activity
      where application_name = any ($1)
        and state in ('active', 'disabled')`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** What a session can't do on this server. */
export interface SessionLimits {
  /** The server follows another one. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

export async function findSessionLimits(client: pg.ClientBase): Promise<SessionLimits> {
  const { rows } = await client.query<SessionLimits>(
    `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  )
  return rows[0] ?? { isStandby: false, isReadOnly: false }
}

/** Ends all sessions whose names begin so. */
export async function endSessions(client: pg.ClientBase, prefix: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(application_name, $1)',
    [prefix],
  )
}
