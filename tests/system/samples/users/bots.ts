import { endpoints } from '@tms/contracts'
import type { Fields, SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const BOT_STORAGE =
  'What a bot stores is read from the database of users by each request of that bot, and by nothing else.'

let bots = 0
const newBotNames = () => ({ full_name: `A Sample Bot ${++bots}`, short_name: `sample-${bots}` })
const newBot = async ({ owner }: SampleObjects): Promise<Fields> => {
  const { user_id } = await owner.call(endpoints.users.createBot, newBotNames())
  return { bot_user_id: String(user_id) }
}
const stored = async ({ bot }: SampleObjects): Promise<Fields> => {
  await bot.call(endpoints.users.updateBotStorage, { storage: { 'a sample': 'x' } })
  return { keys: '["a sample"]' }
}

export const botSamples = {
  updateBotStorage: {
    caller: 'bot',
    valid: { storage: '{"a sample":"x"}' },
    foreign: { storage: '{"a":"b"}' },
    noConsistencyRow: BOT_STORAGE,
  },
  getBotStorage: {
    caller: 'bot',
    valid: stored,
    foreign: {},
  },
  removeBotStorage: {
    caller: 'bot',
    valid: stored,
    foreign: {},
    noConsistencyRow: BOT_STORAGE,
  },
  createBot: {
    valid: () => newBotNames(),
    foreign: ({ channelName }) => [
      { full_name: 'A', short_name: 'a', default_sending_stream: channelName },
      { full_name: 'B', short_name: 'b', default_events_register_stream: channelName },
    ],
  },
  updateBot: {
    valid: async (objects) => ({ ...(await newBot(objects)), full_name: 'A Renamed Sample' }),
    foreign: ({ bot, user, channelName }, own) => [
      { bot_user_id: bot, full_name: 'Taken over' },
      { bot_user_id: own.bot, bot_owner_id: user },
      { bot_user_id: own.bot, default_sending_stream: channelName },
    ],
  },
  deactivateBot: {
    valid: newBot,
    foreign: ({ bot, user }) => [bot, user].map((bot_user_id) => ({ bot_user_id })),
  },
  regenerateBotApiKey: {
    valid: newBot,
    foreign: ({ bot: bot_user_id }) => [{ bot_user_id }],
  },
} satisfies SamplesOf<'users'>
