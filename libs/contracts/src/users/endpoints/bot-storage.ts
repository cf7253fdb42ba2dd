import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson } from '../../declarations/parameter.ts'
import { botData } from '../bots.ts'

const keys = optionalJson(z.array(z.string()).max(limits.maxListLength), {
  description: 'Absent: all. An unknown key is refused with BAD_REQUEST, and nothing is done.',
})

export const updateBotStorage = endpoint({
  name: 'updateBotStorage',
  owner: 'users',
  method: 'PUT',
  path: '/bot_storage',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Store values of a bot',
  description: `For bots only; nobody else can read a bot's storage. Values under other keys stay. A bot can store ${limits.maxBotStorageCharacters} characters of keys and values, under ${limits.maxBotStorageKeys} keys of at most ${limits.maxBotStorageKeyLength} characters each.`,
  parameters: { storage: json(botData, { description: 'Values by key, both strings.' }) },
  response: z.object({}),
})

export const getBotStorage = endpoint({
  name: 'getBotStorage',
  owner: 'users',
  method: 'GET',
  path: '/bot_storage',
  auth: 'user',
  summary: "Get values of a bot's storage",
  description: 'For bots only.',
  parameters: { keys },
  response: z.object({ storage: botData }),
})

export const removeBotStorage = endpoint({
  name: 'removeBotStorage',
  owner: 'users',
  method: 'DELETE',
  path: '/bot_storage',
  auth: 'user',
  tokenAccess: 'send',
  summary: "Delete values of a bot's storage",
  description: 'For bots only.',
  parameters: { keys },
  response: z.object({}),
})
