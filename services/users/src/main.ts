import { createLog, parseEnvironment, run } from '@tms/service-kit'
import { configSchema } from './config.ts'
import { createService } from './service.ts'

try {
  const config = parseEnvironment(configSchema, process.env)
  const log = createLog('users', config.LOG_LEVEL)
  await run(log, () => createService(config, log))
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
