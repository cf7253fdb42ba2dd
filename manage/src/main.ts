import process from 'node:process'
import { runToExit } from './run-to-exit.ts'

await runToExit(process, process.env)
