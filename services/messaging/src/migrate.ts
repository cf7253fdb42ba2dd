import { fileURLToPath } from 'node:url'
import { clientTlsOf, createLog, migrate, parseEnvironment, refuseDistrusted } from '@tms/service-kit'
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
  await migrate(DATABASE_URL, migrations, createLog('messaging', LOG_LEVEL), tls)
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
