// `npm run trials`: tries out what is deployed, for real: images, Compose, an upgrade under load, the image for tests with its
// module and example, dashboards and alerts. For before a release; `npm test` has what needs no Docker.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createProgress, prepareWorkspace, repoRoot } from './bootstrap.mjs'

const TRIALS = ['try', 'try-upgrade', 'try-testcontainers', 'try-observability']
const HELP = `npm run trials [-- name...] [-- --may-skip]

Runs deploy/<name>.mjs one after the other, ${TRIALS.join(', ')} unless names are given: three quarters of an hour, most of
it for images. Each says in its first lines what it does and which variables help it where the network is not the open
internet. One that fails, or skips what it can't do here (for want of Docker, Compose or Prometheus), makes the exit code
1; with --may-skip only what fails does. Ctrl-C ends the trial that runs, which removes what it has started.`

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const unknown = args.find((arg) => arg !== '--may-skip' && arg !== '--help' && !TRIALS.includes(arg))
if (args.includes('--help') || unknown) {
  if (unknown) console.error(`There is no ${unknown}.\n`)
  console.log(HELP)
  process.exit(unknown ? 2 : 0)
}
let isInterrupted = false
// The terminal tells the trial as well.
process.on('SIGINT', () => {
  isInterrupted = true
})
await prepareWorkspace(createProgress(process.stderr))
const results = new Map()
for (const name of names.length > 0 ? names : TRIALS) {
  if (isInterrupted) break
  console.log(`\n${name}`)
  results.set(name, await run(name))
}
console.log('')
for (const [name, result] of results) console.log(`${name}: ${result}`)
const tolerated = args.includes('--may-skip') ? ['passed', 'skipped'] : ['passed']
const isGood = [...results.values()].every((result) => tolerated.includes(result))
process.exitCode = isInterrupted ? 130 : isGood ? 0 : 1

/** How a trial ended: passed, skipped or failed. What it prints goes on to where this prints. */
async function run(name) {
  const child = spawn(process.execPath, [join(repoRoot, 'deploy', `${name}.mjs`)], {
    cwd: repoRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let isSkipped = false
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk)
    isSkipped ||= /^skipped:/m.test(String(chunk))
  })
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  return code !== 0 ? 'failed' : isSkipped ? 'skipped' : 'passed'
}
