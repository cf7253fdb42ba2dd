import type pg from 'pg'

/**
 * Those of these sessions, by name, that the server works for or may work for: with activity tracking off it doesn't
 * know.
 */
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

/** The limits of a session on this server. */
export interface SessionLimits {
  /** The server replicates another one. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

export async function findSessionLimits(client: pg.ClientBase): Promise<SessionLimits> {
  const { rows } = await client.query<SessionLimits>(
    `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  )
  return rows[0] ?? { isStandby: false, isReadOnly: false }
}

/** Ends all sessions whose names have this prefix. */
export async function endSessions(client: pg.ClientBase, prefix: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(application_name, $1)',
    [prefix],
  )
}
