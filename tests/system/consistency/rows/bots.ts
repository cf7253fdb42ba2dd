import { endpoints, Role } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { allowedWhenOn, type Lane, outcomeOf, whenOn } from '../change-row.ts'
import { botAddress, clientOf } from '../client-of.ts'
import { isLetIn } from '../observations.ts'
import type { Stage } from '../stage.ts'
import { renderedBy } from './realm-setting.ts'

const { createBot, deactivateBot, listBots, reactivateUser, regenerateBotApiKey, updateBot } = endpoints.users
const { getMessage, updateChannel } = endpoints.messaging
const { updateRealm } = endpoints.realm

let bots = 0

const newBot = async (
  { hostname }: Stage,
  owner: ApiClient,
  defaults: { default_sending_stream?: string } = {},
): Promise<ApiClient> => {
  const short_name = `row-${++bots}`
  const names = { full_name: `Bot ${short_name}`, short_name }
  const { user_id, api_key } = await owner.call(createBot, { ...names, ...defaults })
  return clientOf(owner, { userId: user_id, email: botAddress(short_name, hostname), apiKey: api_key })
}
const withKey = (client: ApiClient, apiKey: string): ApiClient =>
  clientOf(client, { userId: client.userId, email: client.email, apiKey })

/** Sends without a channel's name, and returns to which channel. */
const channelOfMessage = async (bot: ApiClient): Promise<unknown> => {
  const answer = await bot.request('POST', '/messages', [
    ['type', 'channel'],
    ['topic', 'by a bot'],
    ['content', 'x'],
  ])
  const id = answer.body['id']
  if (typeof id !== 'number') return answer.body['msg']
  const { message } = await bot.call(getMessage, { message_id: id })
  return message.display_recipient
}

/** Bots and what they are for. */
export const botRows: Lane = {
  subject: 'bots',
  rows: [
    {
      name: 'a bot is created, then calls',
      covers: [createBot],
      prepare: async (stage) => {
        let bot = stage.owner
        return {
          change: async (at) => {
            bot = await newBot(stage, at(stage.owner))
          },
          use: (at) => isLetIn(at(bot)),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot is created, then mentioned by name',
      covers: [createBot],
      prepare: async (stage) => {
        const full_name = () => `Bot row-${bots}`
        return {
          change: (at) => newBot(stage, at(stage.owner)),
          use: async (at) =>
            (await renderedBy(at(stage.owner), `@**${full_name()}**`)).includes('data-user-id'),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot gets another name, then is mentioned by it',
      covers: [updateBot],
      prepare: async (stage) => {
        const bot = await newBot(stage, stage.owner)
        let full_name = ''
        return {
          change: (at) => {
            full_name = stage.newName('Bot')
            return at(stage.owner).call(updateBot, { bot_user_id: bot.userId, full_name })
          },
          use: async (at) =>
            (await renderedBy(at(stage.owner), `@**${full_name}**`)).includes('data-user-id'),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot becomes an administrator or a member, then changes the organization',
      covers: [updateBot],
      prepare: async (stage) => {
        const bot = await newBot(stage, stage.owner)
        return {
          change: (at, { isOn }) =>
            at(stage.owner).call(updateBot, {
              bot_user_id: bot.userId,
              role: isOn ? Role.administrator : Role.member,
            }),
          use: async (at) =>
            outcomeOf(await at(bot).send(updateRealm, { description: stage.newName('by a bot') })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a bot gets another default channel, then sends without naming one',
      covers: [updateBot],
      prepare: async (stage) => {
        const channels = [await stage.createChannel([stage.owner]), await stage.createChannel([stage.owner])]
        const bot = await newBot(stage, stage.owner, { default_sending_stream: channels[1]?.name ?? '' })
        const nameFor = (isOn: boolean) => channels[isOn ? 0 : 1]?.name ?? ''
        return {
          change: (at, { isOn }) =>
            at(stage.owner).call(updateBot, {
              bot_user_id: bot.userId,
              default_sending_stream: nameFor(isOn),
            }),
          use: (at) => channelOfMessage(at(bot)),
          expected: ({ isOn }) => nameFor(isOn),
        }
      },
    },
    {
      name: 'the default channel of a bot is renamed, then the bots are listed',
      covers: [updateChannel],
      prepare: async (stage) => {
        const channel = await stage.createChannel([stage.owner])
        const bot = await newBot(stage, stage.owner, { default_sending_stream: channel.name })
        return {
          change: (at, { index }) =>
            at(stage.owner).call(updateChannel, {
              stream_id: channel.id,
              new_name: `${channel.name} ${index}`,
            }),
          use: async (at) => {
            const { bots: listed } = await at(stage.owner).call(listBots, {})
            return listed.find(({ user_id }) => user_id === bot.userId)?.default_sending_stream
          },
          expected: ({ index }) => `${channel.name} ${index}`,
        }
      },
    },
    {
      name: 'a bot gets another owner, then its old key and its new one are used',
      covers: [updateBot],
      prepare: async (stage) => {
        const owners = [await stage.createUser(), await stage.createUser()]
        let bot = await newBot(stage, stage.owner)
        let former = bot
        return {
          change: async (at, { isOn }) => {
            const bot_owner_id = owners[isOn ? 0 : 1]?.userId ?? 0
            const { api_key } = await at(stage.owner).call(updateBot, {
              bot_user_id: bot.userId,
              bot_owner_id,
            })
            former = bot
            bot = withKey(bot, api_key ?? '')
          },
          use: (at) => Promise.all([isLetIn(at(former)), isLetIn(at(bot))]),
          expected: () => [false, true],
        }
      },
    },
    {
      name: 'the key of a bot is replaced, then the old one and the new one are used',
      covers: [regenerateBotApiKey],
      prepare: async (stage) => {
        let bot = await newBot(stage, stage.owner)
        let former = bot
        return {
          change: async (at) => {
            const { api_key } = await at(stage.owner).call(regenerateBotApiKey, { bot_user_id: bot.userId })
            former = bot
            bot = withKey(bot, api_key)
          },
          use: (at) => Promise.all([isLetIn(at(former)), isLetIn(at(bot))]),
          expected: () => [false, true],
        }
      },
    },
    {
      name: 'a bot is deactivated or reactivated, then calls',
      covers: [deactivateBot, reactivateUser],
      prepare: async (stage) => {
        const bot = await newBot(stage, stage.owner)
        return {
          change: (at, { isOn }) =>
            isOn
              ? at(stage.owner).call(deactivateBot, { bot_user_id: bot.userId })
              : at(stage.owner).call(reactivateUser, { user_id: bot.userId }),
          use: async (at) => !(await isLetIn(at(bot))),
          expected: whenOn,
        }
      },
    },
  ],
}
