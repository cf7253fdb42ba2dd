import { describe, expect, test } from 'vitest'
import { inheritedEnvironment, type SystemInfo, serviceEnvironment } from './service-environment.ts'

const info: SystemInfo = {
  namespace: 'n1',
  logLevel: 'info',
  keys: {
    jwt: { privateKey: 'jwt-private', publicKey: 'jwt-public' },
    internal: { privateKey: 'internal-private', publicKey: 'internal-public' },
  },
  databaseUrls: { users: 'pg-users', realm: 'pg-realm', messaging: 'pg-messaging' },
  rabbitmqUrl: 'amqp',
  redisUrl: 'redis',
  urls: { users: ['u'], realm: ['r'], messaging: ['m'], events: ['e1', 'e2'], gateway: ['g'] },
  externalHost: '127.0.0.1:9991',
  gatewayHost: '0.0.0.0',
  uploadsUrl: 'file:///uploads',
  mailUrl: 'file:///mails',
}

describe('the environment of a service', () => {
  test('only the gateway has the key that signs client tokens', () => {
    expect(serviceEnvironment('gateway', 1, info)['JWT_PRIVATE_KEY']).toBe('jwt-private')
    for (const service of ['users', 'realm', 'messaging', 'events'] as const) {
      expect(serviceEnvironment(service, 1, info)).not.toHaveProperty('JWT_PRIVATE_KEY')
    }
  })

  test('each service has its own database, or none', () => {
    expect(serviceEnvironment('users', 1, info)['DATABASE_URL']).toBe('pg-users')
    expect(serviceEnvironment('events', 1, info)).not.toHaveProperty('DATABASE_URL')
    expect(serviceEnvironment('gateway', 1, info)).not.toHaveProperty('DATABASE_URL')
  })

  test('only services that store files have the file store’s URL', () => {
    expect(serviceEnvironment('messaging', 1, info)['UPLOADS_URL']).toBe('file:///uploads')
    expect(serviceEnvironment('realm', 1, info)['UPLOADS_URL']).toBe('file:///uploads')
    expect(serviceEnvironment('gateway', 1, info)).not.toHaveProperty('UPLOADS_URL')
  })

  test('only the gateway listens on other addresses than loopback', () => {
    expect(serviceEnvironment('gateway', 1, info)['HOST']).toBe('0.0.0.0')
    expect(serviceEnvironment('users', 1, info)['HOST']).toBe('127.0.0.1')
  })

  test('all replicas of a service are listed', () => {
    expect(serviceEnvironment('messaging', 1, info)['EVENTS_URL']).toBe('e1,e2')
  })

  test('the settings of npm start and of a test runner are not inherited', () => {
    expect(
      inheritedEnvironment({
        POSTGRES_URL: 'x',
        npm_config_y: 'x',
        VITEST_WORKER_ID: '1',
        BASE_URL: '/',
        PATH: '/bin',
      }),
    ).toEqual({
      PATH: '/bin',
    })
  })
})
