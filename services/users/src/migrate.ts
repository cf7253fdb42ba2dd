import { createPool, runMigrate, setExitCode } from '@tms/service-kit'
import { runMigrations } from 'graphile-worker'

void runMigrate('users', {
  env: process.env,
  migrations: new URL('../migrations', import.meta.url),
  // The job tables and their migrations belong to the library.
  further: async ({ url, tls, ...options }, log) => {
    const pgPool = createPool(url, 2, log, tls, options)
    await runMigrations({ pgPool }).finally(() => pgPool.end())
  },
}).then(setExitCode)
