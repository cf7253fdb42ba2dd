import { runAfterRestore } from '@tms/service-kit'

process.exitCode = await runAfterRestore('realm', { argv: process.argv.slice(2), env: process.env })
