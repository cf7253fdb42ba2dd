import process from 'node:process'
import { runManage } from './run-manage.ts'

// Exits although a connection may still be closing: what was asked for is answered, or given up.
process.exit(await runManage(process.argv.slice(2), process))
