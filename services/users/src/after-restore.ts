import { runAfterRestore, setExitCode } from '@tms/service-kit'

void runAfterRestore('users', { argv: process.argv.slice(2), env: process.env }).then(setExitCode)
