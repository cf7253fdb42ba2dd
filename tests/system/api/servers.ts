import { apiEndpoints, endpoints } from '@tms/contracts'
import { registerQueue, type TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'

const SERVICES = ['gateway', 'users', 'realm', 'messaging', 'events'] as const
const OTHERS = ['users', 'realm', 'messaging', 'events'] as const

export const serverTests = (system: () => TestSystem): void => {
  test.each(['realm', 'gateway'] as const)('the %s service starts without warnings', async (service) => {
    const replica = system().system.replica(service, 0)
    await replica.stop()
    await replica.start()
    // Each replica in turn.
    for (const description of ['of tests', 'of these tests'])
      await system().owner.call(endpoints.realm.updateRealm, { description })
    await registerQueue(system().owner)

    const lines = replica.logs()
    const started = lines.slice(lines.findLastIndex((line) => line.includes('"listening"')))
    expect(started.length).toBeGreaterThan(1)
    expect(started.filter((line) => /DeprecationWarning|"level":[4-6]0/.test(line))).toEqual([])
  })

  describe.each(SERVICES)('the %s service', (service) => {
    const urls = () => system().system.urls[service]

    test('reports that it is alive and which dependencies are missing', async () => {
      for (const url of urls()) {
        const live = await fetch(`${url}/health/live`)
        const ready = await fetch(`${url}/health/ready`)

        expect([live.status, ready.status]).toEqual([200, 200])
        expect(await ready.json()).toMatchObject({ status: 'ready', missing: {} })
      }
    })

    test('counts its requests', async () => {
      for (const url of urls()) {
        const response = await fetch(`${url}/metrics`)

        expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
        expect(await response.text()).toMatch(/^http_request\w*_count\{.*endpoint=/m)
      }
    })

    test('answers unknown paths in JSON', async () => {
      for (const path of ['/nothing', '/internal/nothing', '/api/v1/nothing']) {
        const response = await fetch(`${urls()[0]}${path}`)

        expect([401, 404]).toContain(response.status)
        expect(await response.json()).toMatchObject({ result: 'error', code: expect.any(String) })
      }
    })
  })

  describe.each(OTHERS)('the %s service without the gateway', (service) => {
    const { owner, account } = { owner: () => system().owner, account: () => system().owner.account }

    test.each<[string, () => Record<string, string>]>([
      ['nothing', () => ({})],
      [
        'a client’s own credentials',
        () => ({ authorization: `Basic ${btoa(`${owner().email}:${account()?.apiKey}`)}` }),
      ],
      [
        'an unsigned token',
        () => ({ authorization: `Bearer ${unsigned({ sub: '1', realm: 1, role: 100, aud: 'service' })}` }),
      ],
    ])('rejects %s as a token, at every endpoint', async (_, headers) => {
      const url = system().system.urls[service][0]
      for (const { method, path, prefix } of apiEndpoints.filter((endpoint) => endpoint.owner === service)) {
        const response = await fetch(`${url}${prefix}${path.replace(/\{\w+\}/g, '1')}`, {
          method,
          headers: headers(),
        })

        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' })
      }
    })

    test('rejects other services without a token', async () => {
      const url = system().system.urls[service][0]
      for (const path of ['/internal/users', '/internal/realms', `/internal/register-state/${service}`]) {
        const response = await fetch(`${url}${path}`, { method: 'POST', body: '{}' })

        expect([401, 404]).toContain(response.status)
      }
    })
  })
}

const unsigned = (claims: object): string =>
  [{ alg: 'none', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.')
