import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { History } from '../system/event-model/history.ts'
import { type Failure, play, problemsOf } from '../system/event-model/play.ts'
import { startStage } from '../system/event-model/stage.ts'

/** tools/soak.mjs says what each is, and gives all of them. */
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
const say = (text: string) => {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${String(seconds).padStart(6)} s  ${text}\n`)
}

let stage: Awaited<ReturnType<typeof startStage>>
beforeAll(async () => {
  stage = await startStage()
}, 300_000)
afterAll(() => stage?.stop(), 300_000)

test(
  'histories of the event system',
  async () => {
    const failure = settings.historyFile === undefined ? await soak() : await replay(settings.historyFile)

    if (failure) report(failure)
    expect(failure?.problems.length ?? 0).toBe(0)
  },
  2 ** 31 - 1,
)

/** One history after another, each of the next seed, until the time is over or one fails. */
async function soak(): Promise<Failure | null> {
  const { path, minutes, rounds, clients, faults, shrinkMinutes } = settings
  const isOver = (round: number) =>
    rounds === null ? Date.now() - startedAt > minutes * MINUTE_MS : round >= rounds
  for (let round = 0; !isOver(round); round++) {
    const seed = settings.seed + round
    say(`round ${round + 1}, SOAK_SEED=${seed}`)
    const size = { clients, faults }
    const shrinkMs = shrinkMinutes * MINUTE_MS
    const failure = await play(stage, { seed, path, size, shrinkMs, note: say })
    if (failure) return failure
  }
  return null
}

async function replay(file: string): Promise<Failure | null> {
  const failed = JSON.parse(readFileSync(file, 'utf8')) as Failure
  const problems = await problemsOf(stage, failed.history as History, say)
  return problems.length === 0 ? null : { ...failed, problems }
}

function report(failure: Failure): void {
  mkdirSync(settings.reportFolder, { recursive: true })
  const file = join(settings.reportFolder, `${failure.seed}.json`)
  writeFileSync(file, `${JSON.stringify(failure, null, 2)}\n`)
  say(`FAILED: SOAK_SEED=${failure.seed}${failure.path.includes(':') ? ` --path ${failure.path}` : ''}`)
  for (const problem of failure.problems) say(problem)
  say(`again: npm run soak -- --history ${file}`)
}
