import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

const { createBot, deactivateBot, regenerateBotApiKey, updateBot } = endpoints.users

/** Changes of bots for `startChurn` to repeat: they come, are changed in every way, change hands, and go. */
export function churnOfBots(
  owner: ApiClient,
  observers: readonly ApiClient[],
): ((turn: number) => Promise<unknown>)[] {
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient
  return [
    async (turn) => {
      const names = { full_name: `Churned ${turn}`, short_name: `churned-${turn}` }
      const { user_id: bot_user_id } = await pick(turn).call(createBot, names)
      await pick(turn).call(updateBot, {
        bot_user_id,
        full_name: `Churned again ${turn}`,
        default_all_public_streams: true,
      })
      await pick(turn).call(updateBot, { bot_user_id, bot_owner_id: pick(turn + 1).userId })
      await pick(turn + 1).call(regenerateBotApiKey, { bot_user_id })
      // Out of the sight of administrators who are no owners, and back.
      await owner.call(updateBot, { bot_user_id, bot_owner_id: owner.userId, role: 100 })
      await owner.call(updateBot, { bot_user_id, role: 400 })
      if (turn % 2 === 0) await owner.call(deactivateBot, { bot_user_id })
    },
  ]
}
