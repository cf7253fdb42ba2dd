import { endpoints } from '@tms/contracts'
import { until } from '../../support/until.ts'
import { type Fields, namesNothing, type SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

let bots = 0
/** A bot with one delivery. */
const newDelivery = async ({ owner }: SampleObjects): Promise<Fields> => {
  const names = { full_name: `A Receiving Sample ${++bots}`, short_name: `receiving-${bots}` }
  const { user_id, api_key } = await owner.call(endpoints.users.createBot, { ...names, bot_type: 2 })
  await owner.fetch(`/api/v1/external/json?api_key=${api_key}`, { method: 'POST', body: '{"a":1}' })
  const { deliveries } = await owner.call(endpoints.messaging.listWebhookDeliveries, { bot_user_id: user_id })
  return { bot_user_id: String(user_id), delivery_id: String(deliveries[0]?.id) }
}

const newOutgoing = async ({ owner }: SampleObjects): Promise<Fields> => {
  const names = { full_name: `A Called Sample ${++bots}`, short_name: `called-${bots}` }
  const { user_id } = await owner.call(endpoints.users.createBot, {
    ...{ ...names, bot_type: 3, payload_url: 'https://hook.example.com/' },
  })
  return { bot_user_id: String(user_id) }
}

/** An outgoing webhook with one call, which ended: at its address nothing takes calls. */
const newCall = async ({ owner }: SampleObjects): Promise<Fields> => {
  const names = { full_name: `A Failing Sample ${++bots}`, short_name: `failing-${bots}` }
  const { user_id } = await owner.call(endpoints.users.createBot, {
    ...{ ...names, bot_type: 3, payload_url: `${owner.baseUrl}/nowhere` },
  })
  await owner.call(endpoints.messaging.sendMessage, { type: 'direct', to: [user_id], content: 'Hello' })
  const list = () => owner.call(endpoints.messaging.listWebhookDeliveries, { bot_user_id: user_id })
  await until(async () => {
    const { calls, waiting } = await list()
    return calls.length > 0 && waiting === 0
  })
  return { bot_user_id: String(user_id), call_id: String((await list()).calls[0]?.id) }
}

export const incomingWebhookSamples = {
  getSigningSecret: { valid: newOutgoing, foreign: ({ bot }) => [{ bot_user_id: bot }] },
  regenerateSigningSecret: { valid: newOutgoing, foreign: ({ bot }) => [{ bot_user_id: bot }] },
  createIntegration: {
    valid: () => ({ integration: 'json', bot_name: `A Set-up Sample ${++bots}` }),
    foreign: ({ channelName, channel }) => [
      { integration: 'json', stream: channelName },
      { integration: 'json', stream: channel },
    ],
  },
  // Its own tests call it with keys of others.
  receiveWebhook: { foreign: { integration: 'json' } },
  renderWebhookTemplate: namesNothing({ payload: '{"a":1}', template: '{{a}}' }),
  listWebhookDeliveries: {
    valid: async (objects) => {
      const { bot_user_id = '' } = await newDelivery(objects)
      return { bot_user_id }
    },
    foreign: ({ bot }) => [{ bot_user_id: bot }],
  },
  repeatWebhookDelivery: {
    valid: newDelivery,
    foreign: ({ bot }, own) => [
      { bot_user_id: bot, delivery_id: '1' },
      { bot_user_id: own.bot, delivery_id: '1' },
    ],
  },
  repeatWebhookCall: {
    valid: newCall,
    foreign: ({ bot }, own) => [
      { bot_user_id: bot, call_id: '1' },
      { bot_user_id: own.bot, call_id: '1' },
    ],
  },
} satisfies SamplesOf<'messaging'>
