import { readSettings } from './settings.ts'
import { supervise } from './supervise.ts'

try {
  process.exitCode = await supervise(readSettings(process.env), process.env)
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
// Killed parts may still hold handles that would keep the process alive.
process.exit()
