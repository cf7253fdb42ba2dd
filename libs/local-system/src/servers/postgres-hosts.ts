import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000
/** Scheme and user, servers, and the rest. */
const PARTS = /^(?<start>[a-z]+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<end>.*)$/is

/** One URL per server of a PostgreSQL URL: `postgres://user@a:5432,b/database` has two. */
export function splitHosts(url: string): string[] {
  const { start, hosts, end } = PARTS.exec(url)?.groups ?? {}
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${start}${host}${end}`)
}

/** The same servers with this database. */
export function withDatabase(url: string, database: string): string {
  const { start, hosts, end } = PARTS.exec(url)?.groups ?? {}
  return `${start}${hosts}/${database}${end?.replace(/^\/[^?#]*/, '')}`
}

/** Runs `work` at the first of the servers that answers and, if the URL requires it, takes writes. */
export async function atPostgres<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  connectionTimeoutMillis: number = CONNECT_TIMEOUT_MS,
): Promise<T> {
  const failures: unknown[] = []
  for (const connectionString of splitHosts(url)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis })
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (isFit(url, await isReadOnly(client))) return await work(client)
      failures.push(new Error('it takes no writes'))
    } catch (err) {
      failures.push(err)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw failures[0]
}

const isFit = (url: string, takesNoWrites: boolean): boolean =>
  !takesNoWrites || !/[?&]target_session_attrs=(read-write|primary)\b/.test(url)

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    "select current_setting('transaction_read_only')::boolean as is",
  )
  return rows[0]?.is === true
}
