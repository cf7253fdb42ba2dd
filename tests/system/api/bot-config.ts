import { type EndpointInput, endpoints, limits } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { createBot, updateBot } = endpoints.users
type BotInput = EndpointInput<typeof createBot>

let names = 0
const newNames = () => ({ full_name: `Configured ${++names}`, short_name: `configured-${names}` })

export const botConfigTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  beforeAll(async () => {
    ;[ann] = await newUsers(system(), 1)
  })
  const newBot = async (input: Partial<BotInput>) =>
    (await ann.call(createBot, { ...newNames(), ...input })).user_id
  /** A bot as users who manage bots see it. */
  const servicesOf = async (bot: number, client = ann) => {
    const { state } = await registerQueue(client, { fetch_event_types: ['realm_bot'] })
    const bots = state['realm_bots'] as { user_id: number; services: unknown[] }[]
    return bots.find(({ user_id }) => user_id === bot)?.services
  }

  describe('the configuration of a bot', () => {
    test('is what its owner set, visible to users who manage the bot', async () => {
      const bot = await newBot({ config_data: { color: 'red', site: 'https://example.com' } })

      const services = [{ service_name: '', config_data: { color: 'red', site: 'https://example.com' } }]
      expect(await servicesOf(bot)).toEqual(services)
      expect(await servicesOf(bot, system().owner)).toEqual(services)
      expect(await servicesOf(await newBot({}))).toEqual([])
    })

    test('changes by key, in the response and by an event', async () => {
      const bot = await newBot({ config_data: { color: 'red', size: '1' } })
      const queue = (await registerQueue(ann, { event_types: ['realm_bot'] })).follow()
      const after = { color: 'red', size: '2', shape: 'round' }

      const answer = await ann.send(updateBot, {
        bot_user_id: bot,
        config_data: { size: '2', shape: 'round' },
      })

      expect(answer).toMatchObject(success({ config_data: after }))
      expect(await queue.waitFor(({ type }) => type === 'realm_bot')).toMatchObject({
        op: 'update',
        bot: { user_id: bot, services: [{ service_name: '', config_data: after }] },
      })
      expect(await servicesOf(bot)).toEqual([{ service_name: '', config_data: after }])
      await queue.stop()
    })

    test('remains when another field of the bot changes', async () => {
      const bot = await newBot({ config_data: { color: 'red' } })
      const { full_name } = newNames()

      expect(await ann.send(updateBot, { bot_user_id: bot, full_name })).toMatchObject(
        success({ full_name, config_data: { color: 'red' } }),
      )
    })

    test('names the integration of an incoming webhook', async () => {
      const bot = await newBot({ bot_type: 2, service_name: 'tickets', config_data: { branches: 'main' } })

      expect(await servicesOf(bot)).toEqual([
        { service_name: 'tickets', config_data: { integration_id: 'tickets', branches: 'main' } },
      ])
    })

    test('is empty for an outgoing webhook, which has its own settings', async () => {
      const outgoing = { bot_type: 3, payload_url: 'https://example.com/hook' } as const
      const bot = await newBot({ ...outgoing, config_data: {} })

      expect(await servicesOf(bot)).toEqual([
        { base_url: 'https://example.com/hook', token: expect.stringMatching(/./), interface: 1 },
      ])
      const config_data = { color: 'red' }
      expect(await ann.send(updateBot, { bot_user_id: bot, config_data })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await ann.send(createBot, { ...newNames(), ...outgoing, config_data })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('accepts only texts within its limit', async () => {
      const bot = await newBot({ config_data: { a: 'x'.repeat(limits.maxBotConfigCharacters - 1) } })

      expect(await ann.send(updateBot, { bot_user_id: bot, config_data: { b: '' } })).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringMatching(/10001/) }),
      )
      expect(await ann.send(updateBot, { bot_user_id: bot, config_data: { a: '' } })).toMatchObject(success())
      const path = `/bots/${bot}`
      for (const wrong of ['{"a":1}', '["a"]', '"a"'])
        expect(await ann.request('PATCH', path, [['config_data', wrong]])).toMatchObject(
          refusal('BAD_REQUEST'),
        )
    })
  })
}
