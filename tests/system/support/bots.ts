import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

let bots = 0

/** A generic bot of a user. */
export async function newBotOf(owner: ApiClient): Promise<ApiClient> {
  const short_name = `owned${++bots}`
  const full_name = `Bot ${short_name}`
  const { user_id, api_key } = await owner.call(endpoints.users.createBot, { full_name, short_name })
  const { user } = await owner.call(endpoints.users.getUser, { user_id })
  return owner.as({ userId: user_id, email: user.email, apiKey: api_key })
}
