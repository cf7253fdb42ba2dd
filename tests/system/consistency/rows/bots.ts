import { endpoints, Role } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { allowedWhenOn, outcomeOf, type RowGroup, whenOn } from '../change-row.ts'
import { botAddress, clientOf } from '../client-of.ts'
import type { Environment } from '../environment.ts'
import { isAuthenticated } from '../observations.ts'
import { renderedBy } from './realm-setting.ts'

const { createBot, deactivateBot, listBots, reactivateUser, regenerateBotApiKey, updateBot } = endpoints.users
const { getMessage, updateChannel } = endpoints.messaging
const { updateRealm } = endpoints.realm

let bots = 0

const newBot = async (
  { hostname }: Environment,
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

/** Sends without the name of a channel, and returns the channel that it went to. */
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

/** Bots and their settings. */
export const botRows: RowGroup = {
  subject: 'bots',
  rows: [
    {
      name: 'a bot is created, then calls',
      covers: [createBot],
      prepare: async (environment) => {
        let bot = environment.owner
        return {
          change: async (at) => {
            bot = await newBot(environment, at(environment.owner))
          },
          use: (at) => isAuthenticated(at(bot)),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot is created, then mentioned by name',
      covers: [createBot],
      prepare: async (environment) => {
        const full_name = () => `Bot row-${bots}`
        return {
          change: (at) => newBot(environment, at(environment.owner)),
          use: async (at) =>
            (await renderedBy(at(environment.owner), `@**${full_name()}**`)).includes('data-user-id'),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot gets another name, then is mentioned by it',
      covers: [updateBot],
      prepare: async (environment) => {
        const bot = await newBot(environment, environment.owner)
        let full_name = ''
        return {
          change: (at) => {
            full_name = environment.newName('Bot')
            return at(environment.owner).call(updateBot, { bot_user_id: bot.userId, full_name })
          },
          use: async (at) =>
            (await renderedBy(at(environment.owner), `@**${full_name}**`)).includes('data-user-id'),
          expected: () => true,
        }
      },
    },
    {
      name: 'a bot becomes an administrator or a member, then changes the organization',
      covers: [updateBot],
      prepare: async (environment) => {
        const bot = await newBot(environment, environment.owner)
        return {
          change: (at, { isOn }) =>
            at(environment.owner).call(updateBot, {
              bot_user_id: bot.userId,
              role: isOn ? Role.administrator : Role.member,
            }),
          use: async (at) =>
            outcomeOf(await at(bot).send(updateRealm, { description: environment.newName('by a bot') })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a bot gets another default channel, then sends without naming one',
      covers: [updateBot],
      prepare: async (environment) => {
        const channels = [
          await environment.createChannel([environment.owner]),
          await environment.createChannel([environment.owner]),
        ]
        const bot = await newBot(environment, environment.owner, {
          default_sending_stream: channels[1]?.name ?? '',
        })
        const nameFor = (isOn: boolean) => channels[isOn ? 0 : 1]?.name ?? ''
        return {
          change: (at, { isOn }) =>
            at(environment.owner).call(updateBot, {
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
      prepare: async (environment) => {
        const channel = await environment.createChannel([environment.owner])
        const bot = await newBot(environment, environment.owner, { default_sending_stream: channel.name })
        return {
          change: (at, { index }) =>
            at(environment.owner).call(updateChannel, {
              stream_id: channel.id,
              new_name: `${channel.name} ${index}`,
            }),
          use: async (at) => {
            const { bots: listed } = await at(environment.owner).call(listBots, {})
            return listed.find(({ user_id }) => user_id === bot.userId)?.default_sending_stream
          },
          expected: ({ index }) => `${channel.name} ${index}`,
        }
      },
    },
    {
      name: 'a bot gets another owner, then its old key and its new one are used',
      covers: [updateBot],
      prepare: async (environment) => {
        const owners = [await environment.createUser(), await environment.createUser()]
        let bot = await newBot(environment, environment.owner)
        let former = bot
        return {
          change: async (at, { isOn }) => {
            const bot_owner_id = owners[isOn ? 0 : 1]?.userId ?? 0
            const { api_key } = await at(environment.owner).call(updateBot, {
              bot_user_id: bot.userId,
              bot_owner_id,
            })
            former = bot
            bot = withKey(bot, api_key ?? '')
          },
          use: (at) => Promise.all([isAuthenticated(at(former)), isAuthenticated(at(bot))]),
          expected: () => [false, true],
        }
      },
    },
    {
      name: 'the key of a bot is replaced, then the old one and the new one are used',
      covers: [regenerateBotApiKey],
      prepare: async (environment) => {
        let bot = await newBot(environment, environment.owner)
        let former = bot
        return {
          change: async (at) => {
            const { api_key } = await at(environment.owner).call(regenerateBotApiKey, {
              bot_user_id: bot.userId,
            })
            former = bot
            bot = withKey(bot, api_key)
          },
          use: (at) => Promise.all([isAuthenticated(at(former)), isAuthenticated(at(bot))]),
          expected: () => [false, true],
        }
      },
    },
    {
      name: 'a bot is deactivated or reactivated, then calls',
      covers: [deactivateBot, reactivateUser],
      prepare: async (environment) => {
        const bot = await newBot(environment, environment.owner)
        return {
          change: (at, { isOn }) =>
            isOn
              ? at(environment.owner).call(deactivateBot, { bot_user_id: bot.userId })
              : at(environment.owner).call(reactivateUser, { user_id: bot.userId }),
          use: async (at) => !(await isAuthenticated(at(bot))),
          expected: whenOn,
        }
      },
    },
  ],
}
