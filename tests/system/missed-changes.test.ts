import { endpoints } from '@tms/contracts'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createChannel } from './support/users-and-channels.ts'

const { archiveChannel, updateChannel } = endpoints.messaging
const { createBot, listBots } = endpoints.users
const NAME = 'signup_announcements_stream_id'
/** A request waits at most two seconds for an unresponsive service; the rest is for a busy machine. */
const ANSWERED_WITHIN_MS = 15_000

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, replicas: { users: 1, realm: 1, messaging: 2 } })
}, 180_000)
afterAll(() => product.stop(), 60_000)

const namedBy = async (botId: number) =>
  (await product.owner.call(listBots, {})).bots.find(({ user_id }) => user_id === botId)
    ?.default_sending_stream
const namedBySetting = async () => {
  const state: Record<string, unknown> = await product.owner.call(endpoints.events.register, {
    fetch_event_types: ['realm'],
  })
  return state[`realm_${NAME}`]
}
const howLong = async (act: () => Promise<unknown>): Promise<number> => {
  const begun = Date.now()
  await act()
  return Date.now() - begun
}

test.each([
  ['is killed', 'SIGKILL'],
  ['hangs', 'SIGSTOP'],
] as const)(
  'a channel is renamed while users %s, and users returns the new name once it serves again',
  async (_, signal) => {
    const { owner, system } = product
    const channel = await createChannel(owner)
    const { user_id } = await owner.call(createBot, {
      full_name: `Bot ${signal}`,
      short_name: signal.toLowerCase(),
      default_sending_stream: channel.name,
    })
    const users = system.replica('users', 0)
    const new_name = `renamed during ${signal}`

    await users.kill(signal)
    const tookMs = await howLong(() => owner.call(updateChannel, { stream_id: channel.id, new_name }))
    // An unresponsive service is restarted, as operators do.
    if (signal === 'SIGSTOP') await users.kill('SIGKILL')
    await users.start()

    expect(tookMs).toBeLessThan(ANSWERED_WITHIN_MS)
    expect(await namedBy(user_id)).toBe(new_name)
  },
)

test('a channel is archived while realm is killed, and settings name none once it serves again', async () => {
  const { owner, system } = product
  const channel = await createChannel(owner)
  await owner.call(endpoints.realm.updateRealm, { [NAME]: channel.id })
  const realm = system.replica('realm', 0)

  await realm.kill('SIGKILL')
  const tookMs = await howLong(() => owner.call(archiveChannel, { stream_id: channel.id }))
  await realm.start()

  expect(tookMs).toBeLessThan(ANSWERED_WITHIN_MS)
  expect(await namedBySetting()).toBe(-1)
})
