// `npm run trials`: tests deployments for real: images, Compose, an upgrade under load, the image for tests with its module and
// example, dashboards and alerts. Run it before a release; `npm test` covers everything that needs no Docker.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'

type Result = 'passed' | 'skipped' | 'failed'

const TRIALS = ['compose', 'upgrade', 'testcontainers', 'observability']
const HELP = `npm run trials [-- name...] [-- --may-skip]

Runs tests/trials/<name>.ts one after the other, by default all: ${TRIALS.join(', ')}.
They take three quarters of an hour, most of it for images. The head of each file says what it does, and which variables it
needs without open access to the internet. Exits with 1 if a trial fails or is skipped for lack of Docker, Compose or
Prometheus; with --may-skip only if one fails. Ctrl-C ends the running trial, which removes everything it started.`

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const unknown = args.find((arg) => arg !== '--may-skip' && arg !== '--help' && !TRIALS.includes(arg))
if (args.includes('--help') || unknown) {
  if (unknown) console.error(`Unknown trial: ${unknown}\n`)
  console.log(HELP)
  process.exit(unknown ? 2 : 0)
}
let isInterrupted = false
// The terminal sends the signal to the trial too.
process.on('SIGINT', () => {
  isInterrupted = true
})
await prepareWorkspace(createProgress(process.stderr))
const results = new Map<string, Result>()
for (const name of names.length > 0 ? names : TRIALS) {
  if (isInterrupted) break
  console.log(`\n${name}`)
  results.set(name, await run(name))
}
console.log('')
for (const [name, result] of results) console.log(`${name}: ${result}`)
const acceptedResults: Result[] = args.includes('--may-skip') ? ['passed', 'skipped'] : ['passed']
const isGood = [...results.values()].every((result) => acceptedResults.includes(result))
process.exitCode = isInterrupted ? 130 : isGood ? 0 : 1

/** Runs a trial and passes its output on. Returns passed, skipped or failed. */
async function run(name: string): Promise<Result> {
  const child = spawn(process.execPath, [join(repoRoot, 'tests', 'trials', `${name}.ts`)], {
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
