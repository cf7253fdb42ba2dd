import { fileURLToPath } from 'node:url'
import { createLog, migrate, parseEnvironment } from '@tms/service-kit'
import { runMigrations } from 'graphile-worker'
import { configSchema } from './config.ts'

try {
  const schema = configSchema.pick({ DATABASE_URL: true, LOG_LEVEL: true })
  const { DATABASE_URL, LOG_LEVEL } = parseEnvironment(schema, process.env)
  const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
  await migrate(DATABASE_URL, migrations, createLog('users', LOG_LEVEL))
  // The tables of jobs are the library's own, and so are their migrations.
  await runMigrations({ connectionString: DATABASE_URL })
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
