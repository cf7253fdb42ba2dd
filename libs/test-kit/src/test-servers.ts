import { join } from 'node:path'
import { provideServers, type Servers } from '@tms/local-system'
import { hasContainerEngine, startContainers } from './containers.ts'

/**
 * PostgreSQL, Redis and RabbitMQ for one test file: containers where an engine answers, private instances
 * elsewhere.
 */
export async function provideTestServers(options: {
  dataDir: string
  env: NodeJS.ProcessEnv
}): Promise<Servers> {
  const { dataDir, env } = options
  if (await hasContainerEngine()) return startContainers(env)
  return provideServers({
    env,
    dataDir: join(dataDir, 'servers'),
    logDir: join(dataDir, 'logs'),
    mayUseDocker: false,
  })
}
