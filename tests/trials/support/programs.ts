import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, getErrorMessage } from './steps.ts'

/** Long enough for migrations and the slowest start on a busy machine. */
const WAIT_TIMEOUT_MS = 180_000
const POLL_MS = 500

export interface RunOptions {
  stdout?: 'pipe' | 'inherit'
  mayFail?: boolean
}

/** Runs a program and returns its output. Throws if it fails, unless `mayFail`. */
export function run(
  env: NodeJS.ProcessEnv,
  [command, ...args]: readonly [string, ...string[]],
  { stdout = 'pipe', mayFail = false }: RunOptions = {},
): string {
  const ended = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
    maxBuffer: 64 * 1024 ** 2,
  })
  if (ended.status !== 0 && !mayFail) {
    const output = ended.error ? getErrorMessage(ended.error) : String(ended.stderr).slice(-4_000)
    throw new Error(`${[command, ...args].join(' ')} ended with ${ended.status}: ${output}`)
  }
  return ended.stdout ?? ''
}

/** Runs a program with inherited output, asynchronously. Rejects if it fails. */
export async function runProgram(command: string, args: string[], options: SpawnOptions = {}): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const [code]: unknown[] = await once(child, 'close')
  expect(code === 0, `${[command, ...args].join(' ')} ended with ${code}`)
}

/** Whether a program succeeds. */
export function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Waits until the condition holds. Throws after three minutes. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; !(await holds()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
  }
}
