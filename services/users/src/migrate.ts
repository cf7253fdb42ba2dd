import { fileURLToPath } from 'node:url'
import {
  clientTlsOf,
  createLog,
  createPool,
  migrate,
  parseEnvironment,
  refuseDistrusted,
} from '@tms/service-kit'
import { runMigrations } from 'graphile-worker'
import { configSchema } from './config.ts'

try {
  const schema = configSchema.pick({
    DATABASE_URL: true,
    LOG_LEVEL: true,
    TLS_CA: true,
    TLS_CERTIFICATE: true,
    TLS_KEY: true,
  })
  const { DATABASE_URL, LOG_LEVEL, ...variables } = parseEnvironment(schema, process.env)
  const tls = clientTlsOf(variables)
  await refuseDistrusted({ DATABASE_URL }, tls)
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
  const log = createLog('users', LOG_LEVEL)
  await migrate(DATABASE_URL, migrations, log, tls)
  // The tables of jobs are the library's own, and so are their migrations.
  const pgPool = createPool(DATABASE_URL, 2, log, tls)
  await runMigrations({ pgPool }).finally(() => pgPool.end())
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
