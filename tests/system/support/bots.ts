import { type ApiClient, ApiClient as Client, type TestSystem } from '@tms/test-kit'
import { inUsersDatabase } from './users-database.ts'

let bots = 0

/** A generic bot of someone's. */
export async function newBotOf(system: TestSystem, owner: ApiClient): Promise<ApiClient> {
  const name = `owned${++bots}`
  const email = `${name}-bot@example.com`
  const apiKey = name.padEnd(32, 'x')
  const { rows } = await inUsersDatabase(system, (db) =>
    db.query<{ id: number }>(
      `insert into accounts (realm_id, email, delivery_email, full_name, api_key, role, is_bot, bot_type, bot_owner_id)
       select realm_id, $2, $2, $3, $4, 400, true, 1, id from accounts where id = $1
       returning id`,
      [owner.userId, email, `Bot ${name}`, apiKey],
    ),
  )
  return new Client(system.baseUrl, { userId: rows[0]?.id ?? 0, email, apiKey })
}
