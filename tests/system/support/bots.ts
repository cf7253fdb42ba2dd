import { databaseUrls } from '@tms/local-system'
import { createLog, createPool } from '@tms/service-kit'
import { type ApiClient, ApiClient as Client, type TestSystem } from '@tms/test-kit'

let bots = 0

/** A generic bot of someone's, in the users service's own database. */
export async function newBotOf(system: TestSystem, owner: ApiClient): Promise<ApiClient> {
  const name = `owned-${++bots}`
  const email = `${name}-bot@example.com`
  const apiKey = `${name}${'x'.repeat(32)}`.replaceAll('-', '').slice(0, 32)
  const urls = databaseUrls(system.servers.postgres.url, '')
  const db = createPool(urls.users, 1, createLog('test', 'silent'))
  try {
    const { rows } = await db.query<{ id: number }>(
      `insert into accounts (realm_id, email, delivery_email, full_name, api_key, role, is_bot, bot_type, bot_owner_id)
       select realm_id, $2, $2, $3, $4, 400, true, 1, id from accounts where id = $1
       returning id`,
      [owner.userId, email, `Bot ${name}`, apiKey],
    )
    return new Client(system.baseUrl, { userId: rows[0]?.id ?? 0, email, apiKey })
  } finally {
    await db.end()
  }
}
