import { type ApiClient, ApiError } from '@tms/test-kit'
import { isAway } from '../support/persist.ts'
import { until } from '../support/until.ts'
import type { ChangeRow, PreparedRow } from './change-row.ts'
import { lanes } from './lanes.ts'
import type { Stage } from './stage.ts'

const RETRY_MS = 50

/** What was seen while changes were made and used at once. */
export interface Report {
  /** Uses that a change in force was answered for. */
  served: number
  /** Uses and changes that were refused for the moment. */
  refused: number
  /** Uses that were not served by the change before them. */
  readonly stale: string[]
  /** Refusals of another kind than 503 with Retry-After. */
  readonly wrong: string[]
  /** The longest time in which a change was answered with success. */
  longestChangeMs: number
}

interface Progress {
  isOver: boolean
  /** Uses, and changes that were refused. */
  tried: number
}

/** Resolves once so many further uses were tried, or changes refused. */
export type GoOn = (uses: number) => Promise<void>

/** A row of the table. Throws when there is none of that name. */
export function rowNamed(name: string): ChangeRow {
  const row = lanes.flatMap(({ rows }) => rows).find((one) => one.name === name)
  if (!row) throw new Error(`no row is named '${name}'`)
  return row
}

/** Rows whose changes may be repeated after a refusal that leaves open whether they were made. */
export const repeatableRows: readonly ChangeRow[] = [
  'editing is forbidden, then a message is edited',
  'a user becomes an administrator or a member, then changes the organization',
  'an account is deactivated or reactivated, then calls',
  'emoticons are turned into emoji, then a message is rendered',
  'a user changes their name, then is mentioned by it',
  'an alert word is added or removed, then a message with it sent',
].map(rowNamed)

/** Makes changes and uses them at once, again and again, from before some trouble begins until it is over. */
export async function proveThroughout(
  stage: Stage,
  rows: readonly ChangeRow[],
  trouble: (goOn: GoOn) => Promise<void>,
): Promise<Report> {
  const report: Report = { served: 0, refused: 0, stale: [], wrong: [], longestChangeMs: 0 }
  const prepared = await Promise.all(
    rows.map(async (row) => ({ name: row.name, steps: await row.prepare(stage) })),
  )
  const state: Progress = { isOver: false, tried: 0 }
  const loops = prepared.map(async ({ name, steps }) => {
    for (let index = 0; !state.isOver; index++) {
      await proveOnce(stage, { name, steps, index }, report, state)
      state.tried++
    }
  })
  // A loop that fails ends the test, whatever the trouble waits for.
  const failed = Promise.all(loops).then(() => new Promise<never>(() => {}))
  try {
    const goOn: GoOn = async (uses) => {
      const from = state.tried
      await until(async () => state.tried >= from + uses)
    }
    await Promise.race([trouble(goOn), failed])
  } finally {
    state.isOver = true
  }
  await Promise.all(loops)
  return report
}

async function proveOnce(
  stage: Stage,
  { name, steps, index }: { name: string; steps: PreparedRow; index: number },
  report: Report,
  state: Progress,
): Promise<void> {
  const turn = { index, isOn: index % 2 === 0 }
  const changing = (index >> 1) % 2
  const longest = await changeInTheEnd(() => steps.change(stage.at(changing), turn), report, state)
  if (longest === null) return
  report.longestChangeMs = Math.max(report.longestChangeMs, longest)
  const seen = await orRefusal(() => steps.use(stage.at(1 - changing), turn), report)
  if (seen === REFUSED) return
  report.served++
  if (JSON.stringify(seen) === JSON.stringify(steps.expected(turn))) return
  report.stale.push(`${name}, turn ${index}: ${JSON.stringify(seen)}`)
}

/** How long the change took that was answered with success; null if it was over before. */
async function changeInTheEnd(
  change: () => Promise<unknown>,
  report: Report,
  state: Progress,
): Promise<number | null> {
  for (let attempts = 0; !state.isOver; attempts++) {
    const startedAt = Date.now()
    const answer = await orRefusal(change, report).catch((err: unknown) => {
      // What a refused attempt has done can't be done again.
      if (attempts > 0 && err instanceof ApiError && err.answer.status === 400) return null
      throw err
    })
    if (answer !== REFUSED) return Date.now() - startedAt
    state.tried++
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  return null
}

const REFUSED = Symbol('refused')

/** What was answered, or that it was refused for the moment. */
async function orRefusal<T>(ask: () => Promise<T>, report: Report): Promise<T | typeof REFUSED> {
  try {
    return await ask()
  } catch (err) {
    if (isAway(err)) return REFUSED
    if (!(err instanceof ApiError) || err.answer.status < 500) throw err
    report.refused++
    const { status, headers, text } = err.answer
    if (status !== 503 || headers.get('retry-after') === null) report.wrong.push(`${status} ${text}`)
    return REFUSED
  }
}

/**
 * Changes while a process stands still, asks for what was changed while it still does, and lets it go on: returns what was
 * seen that is not in force, and how long the slowest change took.
 */
export async function provePaused(
  stage: Stage,
  row: ChangeRow,
  { pause, resume, turns, usesAtOnce }: { pause: Step; resume: Step; turns: number; usesAtOnce: number },
): Promise<{ readonly stale: string[]; readonly longestChangeMs: number }> {
  const steps = await row.prepare(stage)
  const stale: string[] = []
  let longestChangeMs = 0
  for (let index = 0; index < turns; index++) {
    const turn = { index, isOn: index % 2 === 0 }
    await pause()
    try {
      const startedAt = Date.now()
      await steps.change(stage.at(0), turn)
      longestChangeMs = Math.max(longestChangeMs, Date.now() - startedAt)
    } finally {
      // They wait for the process, or are answered by another one.
      const uses = Array.from({ length: usesAtOnce }, () => steps.use(stage.at(1), turn))
      await resume()
      for (const seen of await Promise.all(uses)) {
        if (JSON.stringify(seen) !== JSON.stringify(steps.expected(turn)))
          stale.push(`turn ${index}: ${JSON.stringify(seen)}`)
      }
    }
  }
  return { stale, longestChangeMs }
}

type Step = () => Promise<void>

/** The client at each gateway. */
export const atBoth = ({ at }: Stage, client: ApiClient): ApiClient[] => [at(0)(client), at(1)(client)]
