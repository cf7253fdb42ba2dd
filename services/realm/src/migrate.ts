import { runMigrate, setExitCode } from '@tms/service-kit'

const migrations = new URL('../migrations', import.meta.url)
void runMigrate('realm', { env: process.env, migrations }).then(setExitCode)
