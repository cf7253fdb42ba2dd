// `npm run soak`: plays random histories of the event system, with everything in it killed, paused and restarted, and
// compares what clients were told with a model (docs/events.md, "Proof"). Ends with code 1 at the first that differs.

import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createProgress, prepareWorkspace, repoRoot, workspaceEnvironment } from './bootstrap.mjs'

const HELP = `npm run soak [-- flags]

Starts a system of its own, with two replicas of the gateway, events and messaging, and plays one random history after
another: people act, clients come, poll in every manner and go, while replicas and servers are killed, paused and
restarted. After each history, what every client was told is compared with what it was to be told, and what requests
showed of settings with what was changed before they began. Stops at the first difference, with exit code 1.
Ctrl-C stops all that it started and prints the seed.

Flags
  --minutes <n>     begin no further history after so long (default: 10)
  --rounds <n>      play so many histories instead
  --seed <n>        seed of the first history, the next has the next one (default: SOAK_SEED, else by chance)
  --path <path>     a shrunk history of the seed, as a failure printed it
  --history <file>  play the history that a failure has left in a file, once
  --clients <n>     most clients of a history (default: 12)
  --faults <n>      most faults of a history, up to 21 (default: 10)
  --shrink <n>      after a failure, look for a smaller history that fails too, for so many minutes (default: 0)
  --help            this text

A failure leaves its history in .local/soak/<seed>.json and the logs of all services beside it. A history is the same for
the same seed and flags; what happens in it is not, for it happens in real time: play it some times.`

const reportFolder = join(repoRoot, '.local', 'soak')

async function main() {
  const settings = readSettings(process.argv.slice(2))
  if (settings === null) {
    console.log(HELP)
    return 0
  }
  await prepareWorkspace(createProgress(process.stderr))
  const dataDir = mkdtempSync(join(tmpdir(), 'tms-soak-'))
  // PostgreSQL doesn't run as root; kept out it has its files elsewhere, and they stay.
  chmodSync(dataDir, 0o711)
  const { endLeftovers } = await import('../libs/test-kit/dist/index.js')
  try {
    const { code, signal, seed } = await runHistories(settings, dataDir)
    if (signal !== '') {
      console.log(`\nStopped by ${signal}; the last history was SOAK_SEED=${seed}`)
      return 130
    }
    console.log(code === 0 ? 'Every client was told what the model says.' : `Failed at SOAK_SEED=${seed}`)
    if (code !== 0) keepLogs(dataDir, seed)
    return code
  } finally {
    await endLeftovers(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What the flags say; null for --help. Throws on what makes no sense. */
function readSettings(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      rounds: { type: 'string' },
      seed: { type: 'string', default: process.env.SOAK_SEED },
      path: { type: 'string' },
      history: { type: 'string' },
      clients: { type: 'string', default: '12' },
      faults: { type: 'string', default: '10' },
      shrink: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const number = (flag, { isWhole = true, least = 1, most = Number.MAX_SAFE_INTEGER } = {}) => {
    const value = Number(values[flag])
    if (
      values[flag].trim() !== '' &&
      value >= least &&
      value <= most &&
      (!isWhole || Number.isInteger(value))
    )
      return value
    throw new Error(`--${flag} must be a number from ${least}, not ${JSON.stringify(values[flag])}`)
  }
  if (values.history !== undefined && !existsSync(values.history))
    throw new Error(`--history: there is no file ${values.history}`)
  return {
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : number('seed', { least: 0 }),
    path: values.path,
    minutes: number('minutes', { isWhole: false, least: 0 }),
    // A shrunk history is one, and the next seed has none at that path.
    rounds: values.path !== undefined ? 1 : values.rounds === undefined ? null : number('rounds'),
    clients: number('clients'),
    faults: number('faults', { most: 21 }),
    shrinkMinutes: number('shrink', { isWhole: false, least: 0 }),
    historyFile: values.history && resolve(values.history),
    reportFolder,
  }
}

/** Runs the histories; how that ended, and the last seed that was said. */
async function runHistories(settings, dataDir) {
  const child = spawn('vitest', ['run', '--project', 'soak'], {
    cwd: repoRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that Ctrl-C reaches us alone and we end its processes after it.
    detached: true,
    env: {
      ...workspaceEnvironment(),
      TEST_DATA_DIR: dataDir,
      SOAK_SETTINGS: JSON.stringify(settings),
    },
  })
  let { seed } = settings
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text) => {
    process.stdout.write(text)
    const [, last] = [...text.matchAll(/SOAK_SEED=(\d+)/g)].at(-1) ?? []
    seed = last ?? seed
  })
  const stopped = { signal: '' }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      stopped.signal = signal
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    })
  }
  const code = await new Promise((resolveCode) => {
    child.once('error', () => resolveCode(1))
    child.once('close', (status) => resolveCode(status ?? 1))
  })
  return { code, signal: stopped.signal, seed }
}

function keepLogs(dataDir, seed) {
  const logs = join(dataDir, 'logs')
  if (!existsSync(logs)) return
  const kept = join(reportFolder, `${seed}-logs`)
  rmSync(kept, { recursive: true, force: true })
  cpSync(logs, kept, { recursive: true })
  console.log(`Logs of the services: ${kept}`)
}

try {
  process.exitCode = await main()
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
