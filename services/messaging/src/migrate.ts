import { runMigrate } from '@tms/service-kit'

const migrations = new URL('../migrations', import.meta.url)
process.exitCode = await runMigrate('messaging', { env: process.env, migrations })
