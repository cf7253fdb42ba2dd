import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEnvironment } from '../system/event-model/environment.ts'
import type { History } from '../system/event-model/history.ts'
import { type Failure, play, problemsOf } from '../system/event-model/play.ts'

/** tools/soak.ts describes these settings, and sets all of them. */
interface Settings {
  readonly seed: number
  readonly path?: string
  readonly minutes: number
  readonly rounds: number | null
  readonly clients: number
  readonly faults: number
  readonly shrinkMinutes: number
  readonly historyFile?: string
  readonly reportFolder: string
}

const MINUTE_MS = 60_000
const settings = JSON.parse(process.env['SOAK_SETTINGS'] ?? 'null') as Settings
const startedAt = Date.now()
const note = (text: string) => {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${String(seconds).padStart(6)} s  ${text}\n`)
}

let environment: Awaited<ReturnType<typeof startEnvironment>>
beforeAll(async () => {
  environment = await startEnvironment()
}, 300_000)
afterAll(() => environment?.stop(), 300_000)

test(
  'random histories keep the promises of the event system',
  async () => {
    const failure = settings.historyFile === undefined ? await soak() : await replay(settings.historyFile)

    if (failure) report(failure)
    expect(failure?.problems.length ?? 0).toBe(0)
  },
  2 ** 31 - 1,
)

/** One history after another, each with the next seed, until the time is over or one fails. */
async function soak(): Promise<Failure | null> {
  const { path, minutes, rounds, clients, faults, shrinkMinutes } = settings
  const isOver = (round: number) =>
    rounds === null ? Date.now() - startedAt > minutes * MINUTE_MS : round >= rounds
  for (let round = 0; !isOver(round); round++) {
    const seed = settings.seed + round
    note(`round ${round + 1}, SOAK_SEED=${seed}`)
    const size = { clients, faults }
    const shrinkMs = shrinkMinutes * MINUTE_MS
    const failure = await play(environment, { seed, path, size, shrinkMs, note })
    if (failure) return failure
  }
  return null
}

async function replay(file: string): Promise<Failure | null> {
  const failed = JSON.parse(readFileSync(file, 'utf8')) as Failure
  const problems = await problemsOf(environment, failed.history as History, note)
  return problems.length === 0 ? null : { ...failed, problems }
}

function report(failure: Failure): void {
  mkdirSync(settings.reportFolder, { recursive: true })
  const file = join(settings.reportFolder, `${failure.seed}.json`)
  writeFileSync(file, `${JSON.stringify(failure, null, 2)}\n`)
  note(`FAILED: SOAK_SEED=${failure.seed}${failure.path.includes(':') ? ` --path ${failure.path}` : ''}`)
  for (const problem of failure.problems) note(problem)
  note(`again: npm run soak -- --history ${file}`)
}
