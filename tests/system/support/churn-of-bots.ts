import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { createChannel } from './people.ts'
import { until } from './until.ts'

const { createBot, deactivateBot, listBots, regenerateBotApiKey, updateBot } = endpoints.users
const { getChannel, subscribe, unsubscribe, updateChannel } = endpoints.messaging

/** Changes to repeat, and what to do once they are over. */
interface ChurnOfBots {
  readonly changes: readonly ((turn: number) => Promise<unknown>)[]
  /**
   * Until bots' default channels are called in users what messaging calls them. That is so by the answer to a change, unless
   * users takes longer than messaging waits for it: amid so many changes on a busy machine it does.
   */
  settled(): Promise<void>
}

/**
 * Changes of bots for `startChurn` to repeat: they come, are changed in every way, change hands, and go; of one, the channel
 * that it sends to is called something else again and again, and the one that it follows goes out of its owner's sight.
 */
export async function churnOfBots(owner: ApiClient, observers: readonly ApiClient[]): Promise<ChurnOfBots> {
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient
  const keeper = pick(0)
  const sending = await createChannel(owner)
  const followed = await createChannel(owner, { isPrivate: true, others: [keeper] })
  const { user_id: keptId } = await keeper.call(createBot, {
    full_name: 'Kept',
    short_name: 'kept',
    default_sending_stream: sending.name,
    default_events_register_stream: followed.name,
  })

  const kept = async () => (await keeper.call(listBots, {})).bots.find(({ user_id }) => user_id === keptId)
  let isFollowedSeen = true

  const changes = [
    async (turn: number) => {
      const names = { full_name: `Churned ${turn}`, short_name: `churned-${turn}` }
      const { user_id: bot_user_id } = await pick(turn).call(createBot, names)
      await pick(turn).call(updateBot, {
        bot_user_id,
        full_name: `Churned again ${turn}`,
        default_all_public_streams: true,
      })
      await pick(turn).call(updateBot, { bot_user_id, config_data: { turn: String(turn) } })
      await pick(turn).call(updateBot, { bot_user_id, bot_owner_id: pick(turn + 1).userId })
      await pick(turn + 1).call(regenerateBotApiKey, { bot_user_id })
      // Out of the sight of administrators who are no owners, and back.
      await owner.call(updateBot, { bot_user_id, bot_owner_id: owner.userId, role: 100 })
      await owner.call(updateBot, { bot_user_id, role: 400 })
      if (turn % 2 === 0) await owner.call(deactivateBot, { bot_user_id })
    },
    (turn: number) => owner.call(updateChannel, { stream_id: sending.id, new_name: `sent to ${turn}` }),
    async (turn: number) => {
      const principals = [keeper.userId]
      isFollowedSeen = turn % 2 === 1
      if (isFollowedSeen)
        await owner.call(subscribe, { subscriptions: [{ name: followed.name }], principals })
      else await owner.call(unsubscribe, { subscriptions: [followed.name], principals })
    },
  ]
  const settled = async () => {
    const { stream } = await owner.call(getChannel, { stream_id: sending.id })
    await until(async () => {
      const bot = await kept()
      const isSeen = bot?.default_events_register_stream !== null
      return bot?.default_sending_stream === stream.name && isSeen === isFollowedSeen
    })
  }
  return { changes, settled }
}
