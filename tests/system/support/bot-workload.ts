import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { until } from './until.ts'
import { createChannel } from './users-and-channels.ts'

const { createBot, deactivateBot, listBots, regenerateBotApiKey, updateBot } = endpoints.users
const { getChannel, subscribe, unsubscribe, updateChannel } = endpoints.messaging

/** Changes to repeat, and a wait for their effects. */
interface BotWorkload {
  readonly changes: readonly ((turn: number) => Promise<unknown>)[]
  /**
   * Resolves when users has the present names of bots' default channels. Responses to changes wait for that, but only up to a
   * limit, which many changes on a busy machine exceed.
   */
  waitUntilSettled(): Promise<void>
}

/**
 * Changes of bots for `startWorkload`: bots are created, changed in every way, reassigned and deactivated; the sending channel
 * of one bot is renamed repeatedly, and the channel that it follows is hidden from its owner and shown again.
 */
export async function botWorkload(owner: ApiClient, observers: readonly ApiClient[]): Promise<BotWorkload> {
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient
  const botOwner = pick(0)
  const sending = await createChannel(owner)
  const followed = await createChannel(owner, { isPrivate: true, others: [botOwner] })
  const { user_id: remainingId } = await botOwner.call(createBot, {
    full_name: 'Kept',
    short_name: 'kept',
    default_sending_stream: sending.name,
    default_events_register_stream: followed.name,
  })

  const findRemainingBot = async () =>
    (await botOwner.call(listBots, {})).bots.find(({ user_id }) => user_id === remainingId)
  let isFollowedVisible = true

  const changes = [
    async (turn: number) => {
      const names = { full_name: `Changed ${turn}`, short_name: `changed-${turn}` }
      const { user_id: bot_user_id } = await pick(turn).call(createBot, names)
      await pick(turn).call(updateBot, {
        bot_user_id,
        full_name: `Changed again ${turn}`,
        default_all_public_streams: true,
      })
      await pick(turn).call(updateBot, { bot_user_id, config_data: { turn: String(turn) } })
      await pick(turn).call(updateBot, { bot_user_id, bot_owner_id: pick(turn + 1).userId })
      await pick(turn + 1).call(regenerateBotApiKey, { bot_user_id })
      // Hidden from administrators who are not owners, and visible again.
      await owner.call(updateBot, { bot_user_id, bot_owner_id: owner.userId, role: 100 })
      await owner.call(updateBot, { bot_user_id, role: 400 })
      if (turn % 2 === 0) await owner.call(deactivateBot, { bot_user_id })
    },
    (turn: number) => owner.call(updateChannel, { stream_id: sending.id, new_name: `sent to ${turn}` }),
    async (turn: number) => {
      const principals = [botOwner.userId]
      isFollowedVisible = turn % 2 === 1
      if (isFollowedVisible)
        await owner.call(subscribe, { subscriptions: [{ name: followed.name }], principals })
      else await owner.call(unsubscribe, { subscriptions: [followed.name], principals })
    },
  ]
  const waitUntilSettled = async () => {
    const { stream } = await owner.call(getChannel, { stream_id: sending.id })
    await until(async () => {
      const bot = await findRemainingBot()
      const isVisible = bot?.default_events_register_stream !== null
      return bot?.default_sending_stream === stream.name && isVisible === isFollowedVisible
    })
  }
  return { changes, waitUntilSettled }
}
