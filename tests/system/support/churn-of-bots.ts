import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue } from '@tms/test-kit'

const { createBot, deactivateBot, regenerateBotApiKey, updateBot } = endpoints.users
const { archiveChannel, getChannelId, subscribe, updateChannel } = endpoints.messaging

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
    // Its default channel gets another name, and comes to an end; that is told a little later, and not after the end.
    async (turn) => {
      const name = `of bots ${turn}`
      await owner.call(subscribe, { subscriptions: [{ name }] })
      const { stream_id } = await owner.call(getChannelId, { stream: name })
      const names = { full_name: `Sender ${turn}`, short_name: `churned-sender-${turn}` }
      const keeper = pick(turn)
      const { user_id } = await keeper.call(createBot, { ...names, default_sending_stream: name })
      const queue = await registerQueue(keeper, { event_types: ['realm_bot'], fetch_event_types: [] })
      queue.follow()
      const untilNamed = (name: string | null) =>
        queue.waitFor(({ bot }) => {
          const told = bot as { user_id: number; default_sending_stream?: string | null }
          return told.user_id === user_id && told.default_sending_stream === name
        })
      await owner.call(updateChannel, { stream_id, new_name: `${name} now` })
      await untilNamed(`${name} now`)
      await owner.call(archiveChannel, { stream_id })
      await untilNamed(null)
      await queue.stop()
    },
  ]
}
