import { runMigrate, setExitCode } from '@tms/service-kit'

const migrations = new URL('../migrations', import.meta.url)
void runMigrate('messaging', { env: process.env, migrations }).then(setExitCode)
