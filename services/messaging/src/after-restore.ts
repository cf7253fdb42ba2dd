import { runAfterRestore, setExitCode } from '@tms/service-kit'

void runAfterRestore('messaging', { argv: process.argv.slice(2), env: process.env }).then(setExitCode)
