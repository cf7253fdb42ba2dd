import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withLocalSystem } from './local-environment.ts'

describe('without variables of a system', () => {
  let checkout: string
  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), 'tms-manage-'))
    mkdirSync(join(checkout, '.local'))
    const internalKeyFile = join(checkout, 'key.pem')
    writeFileSync(internalKeyFile, 'the key')
    const instance = {
      baseUrl: 'http://127.0.0.1:9991',
      externalHost: 'localhost:9991',
      internalKeyFile,
      services: {
        users: ['http://u1', 'http://u2'],
        realm: ['http://r'],
        messaging: ['http://m'],
        events: ['http://e'],
      },
      servers: { rabbitmq: 'amqp://mq' },
    }
    writeFileSync(join(checkout, '.local', 'instance.json'), JSON.stringify(instance))
  })
  afterAll(() => rmSync(checkout, { recursive: true }))

  test('the system that runs in the checkout is used', () => {
    expect(withLocalSystem({ PATH: '/bin' }, checkout)).toEqual({
      PATH: '/bin',
      GATEWAY_URL: 'http://127.0.0.1:9991',
      USERS_URL: 'http://u1,http://u2',
      REALM_URL: 'http://r',
      MESSAGING_URL: 'http://m',
      EVENTS_URL: 'http://e',
      EXTERNAL_HOST: 'localhost:9991',
      EXTERNAL_SCHEME: 'http',
      RABBITMQ_URL: 'amqp://mq',
      INTERNAL_PRIVATE_KEY: 'the key',
    })
  })

  test('one variable of another system is enough to use that system', () => {
    expect(withLocalSystem({ USERS_URL: 'http://elsewhere' }, checkout)).toEqual({
      USERS_URL: 'http://elsewhere',
    })
  })

  test('no variables are added if no system runs', () => {
    expect(withLocalSystem({}, join(checkout, 'nowhere'))).toEqual({})
  })
})
