import { describe, expect, test } from 'vitest'
import { inheritedEnvironment, type SystemInfo, serviceEnvironment } from './service-environment.ts'

const facts: SystemInfo = {
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

describe('what a service is given', () => {
  test('only the gateway can sign who a client is', () => {
    expect(serviceEnvironment('gateway', 1, facts)['JWT_PRIVATE_KEY']).toBe('jwt-private')
    for (const service of ['users', 'realm', 'messaging', 'events'] as const) {
      expect(serviceEnvironment(service, 1, facts)).not.toHaveProperty('JWT_PRIVATE_KEY')
    }
  })

  test('each service has its own database, or none', () => {
    expect(serviceEnvironment('users', 1, facts)['DATABASE_URL']).toBe('pg-users')
    expect(serviceEnvironment('events', 1, facts)).not.toHaveProperty('DATABASE_URL')
    expect(serviceEnvironment('gateway', 1, facts)).not.toHaveProperty('DATABASE_URL')
  })

  test('where files are kept, only who keeps them', () => {
    expect(serviceEnvironment('messaging', 1, facts)['UPLOADS_URL']).toBe('file:///uploads')
    expect(serviceEnvironment('realm', 1, facts)['UPLOADS_URL']).toBe('file:///uploads')
    expect(serviceEnvironment('gateway', 1, facts)).not.toHaveProperty('UPLOADS_URL')
  })

  test('only the gateway listens where others than programs of this machine may reach it', () => {
    expect(serviceEnvironment('gateway', 1, facts)['HOST']).toBe('0.0.0.0')
    expect(serviceEnvironment('users', 1, facts)['HOST']).toBe('127.0.0.1')
  })

  test('all replicas of a service are listed', () => {
    expect(serviceEnvironment('messaging', 1, facts)['EVENTS_URL']).toBe('e1,e2')
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
