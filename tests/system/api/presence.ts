import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'

const { getRealmPresence, getUserPresence, updatePresence, updateSettings } = endpoints.users
type Times = Record<string, { active_timestamp: number; idle_timestamp: number }>
const nowSeconds = () => Date.now() / 1000

export const presenceTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let unseen: ApiClient
  beforeAll(async () => {
    ;[ann, ben, unseen] = await newUsers(system(), 3)
    await ann.call(updatePresence, { status: 'active' })
    await ben.call(updatePresence, { status: 'idle' })
  })
  const presenceOf = async (user: ApiClient) =>
    (await ann.call(getUserPresence, { user_id_or_email: String(user.userId) })).presence

  describe('presence', () => {
    test('is returned by API e-mail, or slim by user ID', async () => {
      const { presences = {}, server_timestamp } = await ann.call(updatePresence, { status: 'active' })

      expect(server_timestamp).toBeGreaterThan(nowSeconds() - 20)
      const active = { client: 'website', status: 'active', timestamp: expect.any(Number) }
      const idle = { client: 'website', status: 'idle', timestamp: expect.any(Number) }
      expect(presences[ann.email]).toEqual({ aggregated: active, website: { ...active, pushable: false } })
      expect(presences[ben.email]).toEqual({ aggregated: idle, website: { ...idle, pushable: false } })
      expect(presences).not.toHaveProperty([unseen.email])

      const slim = await ann.call(updatePresence, { status: 'active', slim_presence: true })
      const { [ann.userId]: own, [ben.userId]: bens } = slim.presences as Times
      expect(own?.active_timestamp).toBeGreaterThan(nowSeconds() - 60)
      expect(own?.idle_timestamp).toBe(own?.active_timestamp)
      // A user who was never active counts as active at the time of joining.
      expect(bens?.active_timestamp).toBeLessThanOrEqual(bens?.idle_timestamp ?? 0)
    })

    test('is returned from the last update ID of the client', async () => {
      const all = await ann.call(updatePresence, { status: 'active', last_update_id: -1 })
      expect(Object.keys(all.presences ?? {})).toEqual(
        expect.arrayContaining([String(ann.userId), String(ben.userId)]),
      )
      const last_update_id = all.presence_last_update_id ?? 0

      const none = await ann.call(updatePresence, { status: 'active', last_update_id })
      expect(none).toMatchObject({ presences: {}, presence_last_update_id: last_update_id })

      const [late] = await newUsers(system(), 1)
      await late.call(updatePresence, { status: 'active', ping_only: true })
      const some = await ann.call(updatePresence, { status: 'active', last_update_id })
      expect(Object.keys(some.presences ?? {})).toEqual([String(late.userId)])
      expect(some.presence_last_update_id).toBeGreaterThan(last_update_id)
    })

    test('is not returned when a client only pings', async () => {
      const { body } = await ann.send(updatePresence, { status: 'active', ping_only: true })

      expect(Object.keys(body).sort()).toEqual(['msg', 'result'])
    })

    test('of everyone is returned to everyone, in the older form', async () => {
      const guest = await newUserOfRole(system(), Role.guest)
      await guest.call(updatePresence, { status: 'active', ping_only: true })

      const { presences, server_timestamp } = await guest.call(getRealmPresence, {})

      expect(server_timestamp).toBeGreaterThan(nowSeconds() - 20)
      expect(presences[guest.email]?.aggregated.status).toBe('active')
      expect(presences[ben.email]?.aggregated.status).toBe('idle')
    })

    test('of one user is found by ID or API e-mail', async () => {
      const expected = { status: 'idle', timestamp: expect.any(Number) }

      expect(await presenceOf(ben)).toEqual({ aggregated: expected, website: expected })
      const byEmail = await ann.call(getUserPresence, { user_id_or_email: ben.email.toUpperCase() })
      expect(byEmail.presence).toEqual(await presenceOf(ben))
    })

    test('does not exist for unknown users, bots, and users who were never online', async () => {
      const { state } = await registerQueue(ann, { fetch_event_types: ['realm_user'] })
      const [bot] = state['cross_realm_bots'] as { user_id: number }[]

      for (const idOrEmail of [
        '999999',
        'nobody@example.com',
        'me',
        String(bot?.user_id),
        String(unseen.userId),
      ])
        expect(await ann.send(getUserPresence, { user_id_or_email: idOrEmail })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
    })

    test('is in the register state', async () => {
      const slim = await registerQueue(ann, { fetch_event_types: ['presence'], slim_presence: true })
      expect(slim.state).toMatchObject({
        presences: { [ben.userId]: { idle_timestamp: expect.any(Number) } },
        presence_last_update_id: expect.any(Number),
        server_timestamp: expect.any(Number),
      })
      const { presences } = (await registerQueue(ann, { fetch_event_types: ['presence'] })).state as {
        presences: Record<string, unknown>
      }
      expect(presences[ben.email]).toMatchObject({ aggregated: { status: 'idle' } })

      const last_update_id = slim.state['presence_last_update_id'] as number
      const { presences: updates } = await ann.call(updatePresence, { status: 'active', last_update_id })
      expect(updates).not.toHaveProperty(String(ben.userId))
    })

    test('of a user who hides it looks as if they left long ago, and stays so', async () => {
      const [shy] = await newUsers(system(), 1)
      await shy.call(updatePresence, { status: 'active' })
      const { presence_last_update_id: last_update_id = -1 } = await ann.call(updatePresence, {
        status: 'active',
        last_update_id: -1,
      })

      await shy.call(updateSettings, { presence_enabled: false })
      await shy.call(updatePresence, { status: 'active' })

      expect((await presenceOf(shy)).aggregated.status).toBe('offline')
      const { presences } = await ann.call(updatePresence, { status: 'active', last_update_id })
      const hidden = (presences as Times)[shy.userId]
      expect(hidden?.idle_timestamp).toBeLessThan(nowSeconds() - 300)

      await shy.call(updateSettings, { presence_enabled: true })
      expect((await presenceOf(shy)).aggregated.status).toBe('active')
    })

    test.each(Object.entries(Role))('is available to every role, such as %s', async (_, role) => {
      const user = await newUserOfRole(system(), role)

      expect(await user.send(updatePresence, { status: 'active' })).toMatchObject(success())
    })

    test.each<[string, Record<string, string>]>([
      ['an unknown status', { status: 'away' }],
      ['an update ID that is no number', { status: 'active', last_update_id: '"x"' }],
      ['a `ping_only` that is no truth', { status: 'active', ping_only: '1' }],
    ])('rejects %s', async (_, fields) => {
      const answer = await ann.request('POST', '/users/me/presence', Object.entries(fields))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
