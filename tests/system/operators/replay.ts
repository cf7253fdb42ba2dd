import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letLeaseEnd } from '../support/let-lease-end.ts'
import { environmentOf, runManageHere, startManage } from '../support/run-manage.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

let product: TestSystem
const pools: Record<'messaging' | 'users', Pool | null> = { messaging: null, users: null }
const inDatabase = async (service: keyof typeof pools, sql: string, values: unknown[] = []) => {
  const { rows } = (await pools[service]?.query(sql, values)) ?? { rows: [] }
  return rows as Record<string, unknown>[]
}
const manage = (...args: string[]) => runManageHere(environmentOf(product), args)
/** The result of another check, by service. */
const replayed = async (
  ...args: string[]
): Promise<Record<string, { repaired: number; checked: number }>> => {
  const { code, stdout, stderr } = await manage('replay', ...args, '--json')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const { services } = JSON.parse(stdout) as { services: { service: string; replay: object }[] }
  return Object.fromEntries(services.map(({ service, replay }) => [service, replay])) as never
}
/** The welcome of a user is not part of the projection: a lost user is not welcomed again, since the event is over. */
const knownUser = async ({ userId }: ApiClient) => {
  const [row] = await inDatabase('messaging', 'select * from known_users where user_id = $1', [userId])
  return { ...row, is_onboarded: null }
}
const renameInside = (user: ApiClient, name: string) =>
  inDatabase(
    'messaging',
    `update known_users set projection = jsonb_set(projection, '{full_name}', to_jsonb($2::text)), name_key = $2 where user_id = $1`,
    [user.userId, name],
  )
/** The senders' names that others read. */
const senderNameOf = async (reader: ApiClient, message_id: number): Promise<string> => {
  const { message } = await reader.call(endpoints.messaging.getMessage, { message_id })
  return message.sender_full_name
}

/** For a system that has only its first organization. */
export const replayTests = (system: () => TestSystem): void => {
  beforeAll(() => {
    product = system()
    const { databaseUrls } = product.system
    const log = createLog('test', 'silent')
    pools.messaging = createPool(databaseUrls.messaging, 2, log)
    pools.users = createPool(databaseUrls.users, 2, log)
  })
  afterAll(async () => {
    await pools.messaging?.end()
    await pools.users?.end()
  })

  describe('projections of other services’ data', () => {
    test('are not changed if they are right', async () => {
      const [someone] = await newUsers(product, 2)
      await product.owner.call(endpoints.users.createUserGroup, {
        name: 'right',
        description: '',
        members: [],
      })
      // Its owner counts it as a change, without publishing it.
      await manage('reset-password', '.', someone.email)
      const caughtUp = async () => {
        const { stdout } = await manage('projections', '--json')
        const { services } = JSON.parse(stdout) as { services: { lag: number }[] }
        return services.every(({ lag }) => lag === 0)
      }
      await until(caughtUp)

      const everything = await replayed()
      expect(everything).toMatchObject({ users: { repaired: 0, checked: 1 }, messaging: { repaired: 0 } })
      expect(everything['messaging']?.checked).toBeGreaterThanOrEqual(5)
      expect(await replayed('--from', 'first')).toMatchObject({
        users: { repaired: 0 },
        messaging: { repaired: 0 },
      })
      expect((await manage('projections')).stdout).toMatch(
        /^messaging +\d+ +\d+ +\d+ {2}done: \d+ compared, 0 repaired$/m,
      )
    })

    test('are repaired after they were damaged, lost, or ahead of their owner, and nothing is delivered', async () => {
      const [damaged, lost, ahead, reader] = await newUsers(product, 4)
      const channel = await newChannel(product.owner, { others: [damaged, lost, ahead, reader] })
      const messageId = await sendToChannel(damaged, channel.id)
      const rightName = await senderNameOf(reader, messageId)
      const before = [await knownUser(damaged), await knownUser(lost), await knownUser(ahead)]
      const [realm] = await inDatabase('messaging', 'select * from known_realms')
      const [group] = await inDatabase('messaging', `select * from known_groups limit 1`)
      const queue = (await registerQueue(reader)).follow()

      await renameInside(damaged, 'somebody else')
      // An earlier cache would hide it.
      for (const index of [0, 1]) {
        const replica = product.system.replica('messaging', index)
        await replica.stop()
        await replica.start()
      }
      expect(await senderNameOf(reader, messageId)).toBe('somebody else')
      await inDatabase('messaging', 'delete from known_users where user_id = $1', [lost.userId])
      await inDatabase('messaging', 'update known_users set version = version + 1000 where user_id = $1', [
        ahead.userId,
      ])
      await inDatabase('messaging', 'update known_groups set member_ids = $1, version = version + 7', [
        [1, 2, 3],
      ])
      for (const service of ['messaging', 'users'] as const) {
        await inDatabase(
          service,
          `update known_realms set projection = jsonb_set(projection, '{name}', '"Wrong"'), version = version + 9`,
        )
      }

      expect(await replayed()).toMatchObject({ users: { repaired: 1 }, messaging: { repaired: 5 } })
      // Each replica drops its cache once it receives the event, which is not awaited.
      await until(async () => (await senderNameOf(reader, messageId)) === rightName)
      expect([await knownUser(damaged), await knownUser(lost), await knownUser(ahead)]).toEqual(before)
      expect(await inDatabase('messaging', 'select * from known_realms')).toEqual([realm])
      expect((await inDatabase('messaging', 'select * from known_groups'))[0]).toEqual(group)

      // The next change by the owner of a projection that was ahead applies again.
      await ahead.call(endpoints.users.updateSettings, { full_name: 'Heard again' })
      expect(await knownUser(ahead)).toMatchObject({ projection: { full_name: 'Heard again' } })
      const lastId = await sendToChannel(ahead, channel.id)
      await queue.waitFor(
        ({ type, message }) => type === 'message' && (message as { id: number }).id === lastId,
      )
      await queue.stop()
      expect(queue.events.map(({ type }) => type).filter((type) => type !== 'heartbeat')).toEqual([
        'realm_user',
        'message',
      ])
    })

    test('are checked from an offset of the log on, or from a time', async () => {
      const [earlier] = await newUsers(product, 1)
      const { stdout } = await manage('projections', '--json')
      const { services } = JSON.parse(stdout) as { services: { end_offset: number }[] }
      const end = services[0]?.end_offset ?? 0
      const [later] = await newUsers(product, 1)
      const right = [await knownUser(earlier), await knownUser(later)]
      await renameInside(earlier, 'wrong before')
      await renameInside(later, 'wrong after')

      const since = await replayed('--from', String(end), '--service', 'messaging')
      expect(since).toEqual({ messaging: expect.objectContaining({ repaired: 1 }) })
      expect(await knownUser(later)).toEqual(right[1])
      expect(JSON.stringify(await knownUser(earlier))).toContain('wrong before')

      expect(await replayed('--from', '2020-01-01', '--service', 'messaging')).toMatchObject({
        messaging: { repaired: 1 },
      })
      expect(await knownUser(earlier)).toEqual(right[0])
    })

    test('are checked on from the last position when the replica that does it is killed', async () => {
      const [user] = await newUsers(product, 1)
      const right = await knownUser(user)
      const { system } = product
      // Nothing can be compared while the owner is down: so it is in progress when the replica dies.
      await system.replica('users', 0).kill()
      await renameInside(user, 'wrong for now')
      const { ended } = startManage(environmentOf(product), ['replay', '--service', 'messaging', '--json'])
      await until(
        async () =>
          (await inDatabase('messaging', 'select 1 from projection_replay where finished_at is null'))
            .length === 1,
      )
      await system.replica('messaging', 0).kill()
      await system.replica('users', 0).start()
      await letLeaseEnd(pools.messaging as Pool, 'projection_replay', 30)

      expect(await ended).toMatchObject({ code: 0 })
      expect(await knownUser(user)).toEqual(right)
      await system.replica('messaging', 0).start()
    })

    test('are not checked from an offset that does not exist yet', async () => {
      const refused = (message: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(message) })

      expect(await manage('replay', '--from', '999999999', '--service', 'users')).toEqual(
        refused('ends at offset'),
      )
      expect(await manage('replay', '--from', '2999-01-01')).toEqual({
        ...refused('not in the past'),
        code: 2,
      })
      expect(await manage('replay', '--from', 'yesterday')).toEqual({ ...refused("'yesterday'"), code: 2 })
      expect(await manage('replay', '--service', 'realm')).toEqual({
        ...refused('realm has no projections'),
        code: 2,
      })
    })
  })
}
