import { join } from 'node:path'
import { provideServers, type Servers } from '@tms/local-system'
import { hasContainerEngine, startContainers } from './containers.ts'

/**
 * PostgreSQL, Redis and RabbitMQ for one test file: containers where an engine answers, private instances
 * elsewhere. `TEST_SERVERS=private` or `containers` in the environment decides instead.
 */
export async function provideTestServers(options: {
  dataDir: string
  env: NodeJS.ProcessEnv
}): Promise<Servers> {
  const { dataDir, env } = options
  const wanted = env['TEST_SERVERS']
  const usesContainers = wanted === undefined ? await hasContainerEngine() : wanted === 'containers'
  if (usesContainers) return startContainers(env)
  return provideServers({
    env,
    dataDir: join(dataDir, 'servers'),
    logDir: join(dataDir, 'logs'),
    mayUseDocker: false,
  })
}
