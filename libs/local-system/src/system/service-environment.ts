import type { Keys } from './keys.ts'
import {
  addressedServices,
  type DatabaseService,
  fileServices,
  hasDatabase,
  redisServices,
  type ServiceName,
} from './service-names.ts'

/** For services that only programs of this machine reach. */
export const LOOPBACK = '127.0.0.1'

export type SystemInfo = {
  namespace: string
  logLevel: string
  keys: Keys
  databaseUrls: Record<DatabaseService, string>
  rabbitmqUrl: string
  redisUrl: string
  /** Base URLs of every replica. */
  urls: Record<ServiceName, string[]>
  /** host:port that clients use. */
  externalHost: string
  /** Address that gateways listen on. */
  gatewayHost: string
  /** Store of uploaded files. */
  uploadsUrl: string
  /** Where mails go. */
  mailUrl: string
}

/** The variables of one replica, in addition to those that it inherits. */
export function serviceEnvironment(service: ServiceName, port: number, info: SystemInfo): NodeJS.ProcessEnv {
  const { keys, urls } = info
  return {
    NODE_ENV: 'production',
    HOST: service === 'gateway' ? info.gatewayHost : LOOPBACK,
    PORT: String(port),
    LOG_LEVEL: info.logLevel,
    // There is no other replica for clients, so draining would only delay the stop.
    DRAIN_SECONDS: '0',
    NAMESPACE: info.namespace,
    JWT_PUBLIC_KEY: keys.jwt.publicKey,
    INTERNAL_PRIVATE_KEY: keys.internal.privateKey,
    INTERNAL_PUBLIC_KEY: keys.internal.publicKey,
    RABBITMQ_URL: info.rabbitmqUrl,
    USERS_URL: urls.users.join(','),
    REALM_URL: urls.realm.join(','),
    MESSAGING_URL: urls.messaging.join(','),
    EVENTS_URL: urls.events.join(','),
    // Services can verify a client's identity; only the gateway can sign it.
    ...(service === 'gateway' && { JWT_PRIVATE_KEY: keys.jwt.privateKey }),
    ...(hasDatabase(service) && { DATABASE_URL: info.databaseUrls[service] }),
    ...(redisServices.includes(service) && { REDIS_URL: info.redisUrl }),
    ...(fileServices.includes(service) && { UPLOADS_URL: info.uploadsUrl }),
    ...(service === 'users' && { MAIL_URL: info.mailUrl, MAIL_FROM: 'noreply@localhost.localdomain' }),
    ...(addressedServices.includes(service) && {
      EXTERNAL_HOST: info.externalHost,
      EXTERNAL_SCHEME: 'http',
    }),
  }
}

/** Variables that a child may inherit: neither our own settings, nor those of a test runner. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const notForServices =
    /^(POSTGRES_URL|REDIS_URL|DATABASE_URL|JWT_PRIVATE_KEY|npm_.*|VITEST.*|TEST|DEV|PROD|SSR|MODE|BASE_URL)$/
  return Object.fromEntries(Object.entries(env).filter(([key]) => !notForServices.test(key)))
}
