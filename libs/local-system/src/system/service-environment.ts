import type { Keys } from './keys.ts'
import {
  addressedServices,
  type DatabaseService,
  fileServices,
  hasDatabase,
  redisServices,
  type ServiceName,
} from './service-names.ts'

/** Where only programs of this machine reach a service. */
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
  /** Where uploaded files are kept. */
  uploadsUrl: string
  /** Where mails go. */
  mailUrl: string
}

/** The variables that one replica is given on top of what it inherits. */
export function serviceEnvironment(service: ServiceName, port: number, facts: SystemInfo): NodeJS.ProcessEnv {
  const { keys, urls } = facts
  return {
    NODE_ENV: 'production',
    HOST: service === 'gateway' ? facts.gatewayHost : LOOPBACK,
    PORT: String(port),
    LOG_LEVEL: facts.logLevel,
    // Whoever stops a process here has no other one for its clients.
    DRAIN_SECONDS: '0',
    NAMESPACE: facts.namespace,
    JWT_PUBLIC_KEY: keys.jwt.publicKey,
    INTERNAL_PRIVATE_KEY: keys.internal.privateKey,
    INTERNAL_PUBLIC_KEY: keys.internal.publicKey,
    RABBITMQ_URL: facts.rabbitmqUrl,
    USERS_URL: urls.users.join(','),
    REALM_URL: urls.realm.join(','),
    MESSAGING_URL: urls.messaging.join(','),
    EVENTS_URL: urls.events.join(','),
    // Services can verify who a client is; only the gateway can say it.
    ...(service === 'gateway' && { JWT_PRIVATE_KEY: keys.jwt.privateKey }),
    ...(hasDatabase(service) && { DATABASE_URL: facts.databaseUrls[service] }),
    ...(redisServices.includes(service) && { REDIS_URL: facts.redisUrl }),
    ...(fileServices.includes(service) && { UPLOADS_URL: facts.uploadsUrl }),
    ...(service === 'users' && { MAIL_URL: facts.mailUrl, MAIL_FROM: 'noreply@localhost.localdomain' }),
    ...(addressedServices.includes(service) && {
      EXTERNAL_HOST: facts.externalHost,
      EXTERNAL_SCHEME: 'http',
    }),
  }
}

/** What a child may inherit: not the settings that are ours, nor those of a test runner we run in. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const notForServices =
    /^(POSTGRES_URL|REDIS_URL|DATABASE_URL|JWT_PRIVATE_KEY|npm_.*|VITEST.*|TEST|DEV|PROD|SSR|MODE|BASE_URL)$/
  return Object.fromEntries(Object.entries(env).filter(([key]) => !notForServices.test(key)))
}
