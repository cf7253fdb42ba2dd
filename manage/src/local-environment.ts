import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInstance } from '@tms/local-system'
import { variableDescriptions } from './kernel/environment.ts'

/**
 * Adds the variables of the system that runs in the checkout, unless the environment sets any of them: mixing two systems
 * would address neither.
 */
export function withLocalSystem(env: NodeJS.ProcessEnv, repoRoot: string): NodeJS.ProcessEnv {
  if (variableDescriptions.some(([name]) => env[name] !== undefined)) return env
  const instance = findInstance(join(repoRoot, '.local', 'instance.json'))
  if (!instance) return env
  const { baseUrl, services, servers, externalHost, internalKeyFile } = instance
  return {
    ...env,
    GATEWAY_URL: baseUrl,
    USERS_URL: services.users.join(','),
    REALM_URL: services.realm.join(','),
    MESSAGING_URL: services.messaging.join(','),
    EVENTS_URL: services.events.join(','),
    EXTERNAL_HOST: externalHost,
    EXTERNAL_SCHEME: 'http',
    RABBITMQ_URL: servers.rabbitmq,
    INTERNAL_PRIVATE_KEY: readFileSync(internalKeyFile, 'utf8'),
  }
}
