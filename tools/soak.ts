// `npm run soak`: plays random histories of the event system while its processes are killed, paused and restarted, and
// compares what clients received with a model (docs/events.md, "Proof"). Exits with 1 at the first difference.

import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace, workspaceEnvironment } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'
import { runMain } from './run-main.ts'

const HELP = `npm run soak [-- flags]

Starts a system of its own, with two replicas of the gateway, events and messaging, and plays one random history after
another: users act, clients register, poll in every way and leave, while replicas and servers are killed, paused and
restarted. After each history it compares the events that every client received with the expected ones, and settings that
requests returned with the changes before them. Stops at the first difference, with exit code 1. Ctrl-C stops everything
it started and prints the seed.

Flags
  --minutes <n>     start no further history after this time (default: 10)
  --rounds <n>      play this number of histories instead
  --seed <n>        seed of the first history; each further one is one higher (default: SOAK_SEED, else random)
  --path <path>     a shrunk history of the seed, as printed after a failure
  --history <file>  play the history in this file, which a failure saved, once
  --clients <n>     maximum number of clients in a history (default: 12)
  --faults <n>      maximum number of faults in a history, up to 21 (default: 10)
  --shrink <n>      after a failure, search for a smaller failing history for this many minutes (default: 0)
  --help            this text

A failure saves its history in .local/soak/<seed>.json and the logs of all services beside it. The same seed and flags give
the same history, but its timing varies: repeat it to reproduce a failure.`

type Settings = NonNullable<ReturnType<typeof readSettings>>

const reportFolder = join(repoRoot, '.local', 'soak')

async function main(args: string[]): Promise<number> {
  const settings = readSettings(args)
  if (settings === null) {
    console.log(HELP)
    return 0
  }
  await prepareWorkspace(createProgress(process.stderr))
  const dataDir = mkdtempSync(join(tmpdir(), 'tms-soak-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its files here; else they would be elsewhere and stay.
  chmodSync(dataDir, 0o711)
  const { endLeftovers } = await import('../libs/test-kit/dist/index.js')
  try {
    const { code, signal, seed } = await runHistories(settings, dataDir)
    if (signal !== '') {
      console.log(`\nStopped by ${signal}; the last history was SOAK_SEED=${seed}`)
      return 130
    }
    console.log(code === 0 ? 'Every client received what the model expects.' : `Failed at SOAK_SEED=${seed}`)
    if (code !== 0) keepLogs(dataDir, seed)
    return code
  } finally {
    await endLeftovers(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Parses the flags; null for --help. Throws for invalid ones. */
function readSettings(args: string[]) {
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
  const number = (
    flag: 'minutes' | 'rounds' | 'seed' | 'clients' | 'faults' | 'shrink',
    { isWhole = true, least = 1, most = Number.MAX_SAFE_INTEGER } = {},
  ) => {
    const text = values[flag] ?? ''
    const value = Number(text)
    if (text.trim() !== '' && value >= least && value <= most && (!isWhole || Number.isInteger(value)))
      return value
    throw new Error(`--${flag} must be a number from ${least}, not ${JSON.stringify(text)}`)
  }
  if (values.history !== undefined && !existsSync(values.history))
    throw new Error(`--history: there is no file ${values.history}`)
  return {
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : number('seed', { least: 0 }),
    path: values.path,
    minutes: number('minutes', { isWhole: false, least: 0 }),
    // The path of a shrunk history belongs to one seed.
    rounds: values.path !== undefined ? 1 : values.rounds === undefined ? null : number('rounds'),
    clients: number('clients'),
    faults: number('faults', { most: 21 }),
    shrinkMinutes: number('shrink', { isWhole: false, least: 0 }),
    historyFile: values.history && resolve(values.history),
    reportFolder,
  }
}

/** Runs the histories; returns how they ended, and the last seed printed. */
async function runHistories(settings: Settings, dataDir: string) {
  const child = spawn('vitest', ['run', '--project', 'soak'], {
    cwd: repoRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group, so that Ctrl-C reaches only this process, which then ends the others.
    detached: true,
    env: {
      ...workspaceEnvironment(),
      TEST_DATA_DIR: dataDir,
      // The logs of a failed history are kept.
      TEST_LOG_LEVEL: 'debug',
      SOAK_SETTINGS: JSON.stringify(settings),
    },
  })
  let seed = String(settings.seed)
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    process.stdout.write(text)
    const [, last] = [...text.matchAll(/SOAK_SEED=(\d+)/g)].at(-1) ?? []
    seed = last ?? seed
  })
  const stopped = { signal: '' }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped.signal = signal
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    })
  }
  const code = await new Promise<number>((resolveCode) => {
    child.once('error', () => resolveCode(1))
    child.once('close', (status) => resolveCode(status ?? 1))
  })
  return { code, signal: stopped.signal, seed }
}

function keepLogs(dataDir: string, seed: string): void {
  const logs = join(dataDir, 'logs')
  if (!existsSync(logs)) return
  const logCopies = join(reportFolder, `${seed}-logs`)
  rmSync(logCopies, { recursive: true, force: true })
  cpSync(logs, logCopies, { recursive: true })
  console.log(`Logs of the services: ${logCopies}`)
}

await runMain(main)
