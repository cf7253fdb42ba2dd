import { type ApiClient, ApiError } from '@tms/test-kit'
import { isUnavailable } from '../support/retry-while-unavailable.ts'
import { until } from '../support/until.ts'
import type { ChangeRow, PreparedRow } from './change-row.ts'
import type { Environment } from './environment.ts'
import { rowGroups } from './row-groups.ts'

const RETRY_MS = 50
/** For as long as a busy machine takes. */
const USES_WAIT_MS = 300_000

/** The observations while changes were made and used at once. */
export interface Report {
  /** Uses that observed the acknowledged change. */
  served: number
  /** Uses and changes that failed temporarily. */
  refused: number
  /** Uses that did not observe the change before them. */
  readonly stale: string[]
  /** Failures other than 503 with Retry-After. */
  readonly wrong: string[]
  /** The longest time until a change was acknowledged. */
  longestChangeMs: number
}

interface Progress {
  isOver: boolean
  /** Uses, and failed changes. */
  tried: number
}

/** Resolves after the given number of further uses or failed changes. */
export type WaitForUses = (uses: number) => Promise<void>

/** A row of the table. Throws if there is none of that name. */
export function getRow(name: string): ChangeRow {
  const row = rowGroups.flatMap(({ rows }) => rows).find((one) => one.name === name)
  if (!row) throw new Error(`no row is named '${name}'`)
  return row
}

/** Rows whose changes can be repeated after a failure with an unknown outcome. */
export const repeatableRows: readonly ChangeRow[] = [
  'editing is forbidden, then a message is edited',
  'a user becomes an administrator or a member, then changes the organization',
  'an account is deactivated or reactivated, then calls',
  'emoticons are turned into emoji, then a message is rendered',
  'a user changes their name, then is mentioned by it',
  'an alert word is added or removed, then a message with it sent',
].map(getRow)

/** Makes changes and uses them at once, repeatedly, from before a disruption until after it. */
export async function proveThroughout(
  environment: Environment,
  rows: readonly ChangeRow[],
  disruption: (waitForUses: WaitForUses) => Promise<void>,
): Promise<Report> {
  const report: Report = { served: 0, refused: 0, stale: [], wrong: [], longestChangeMs: 0 }
  const prepared = await Promise.all(
    rows.map(async (row) => ({ name: row.name, steps: await row.prepare(environment) })),
  )
  const state: Progress = { isOver: false, tried: 0 }
  const loops = prepared.map(async ({ name, steps }) => {
    for (let index = 0; !state.isOver; index++) {
      await proveOnce(environment, { name, steps, index }, report, state)
      state.tried++
    }
  })
  // A loop that fails ends the test, whatever the disruption waits for.
  const failed = Promise.all(loops).then(() => new Promise<never>(() => {}))
  try {
    const waitForUses: WaitForUses = async (uses) => {
      const from = state.tried
      await until(async () => state.tried >= from + uses, USES_WAIT_MS)
    }
    await Promise.race([disruption(waitForUses), failed])
  } finally {
    state.isOver = true
  }
  await Promise.all(loops)
  return report
}

async function proveOnce(
  environment: Environment,
  { name, steps, index }: { name: string; steps: PreparedRow; index: number },
  report: Report,
  state: Progress,
): Promise<void> {
  const turn = { index, isOn: index % 2 === 0 }
  const changing = (index >> 1) % 2
  const longest = await changeUntilAccepted(() => steps.change(environment.at(changing), turn), report, state)
  if (longest === null) return
  report.longestChangeMs = Math.max(report.longestChangeMs, longest)
  const observed = await orUnavailable(() => steps.use(environment.at(1 - changing), turn), report)
  if (observed === UNAVAILABLE) return
  report.served++
  if (JSON.stringify(observed) === JSON.stringify(steps.expected(turn))) return
  report.stale.push(`${name}, turn ${index}: ${JSON.stringify(observed)}`)
}

/** The time of the acknowledged change; null if the run was over before. */
async function changeUntilAccepted(
  change: () => Promise<unknown>,
  report: Report,
  state: Progress,
): Promise<number | null> {
  for (let attempts = 0; !state.isOver; attempts++) {
    const startedAt = Date.now()
    const answer = await orUnavailable(change, report).catch((err: unknown) => {
      // A failed attempt that was applied nevertheless cannot be repeated.
      if (attempts > 0 && err instanceof ApiError && err.answer.status === 400) return null
      throw err
    })
    if (answer !== UNAVAILABLE) return Date.now() - startedAt
    state.tried++
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  return null
}

const UNAVAILABLE = Symbol('refused')

/** The response, or that it failed temporarily. */
async function orUnavailable<T>(request: () => Promise<T>, report: Report): Promise<T | typeof UNAVAILABLE> {
  try {
    return await request()
  } catch (err) {
    if (isUnavailable(err)) return UNAVAILABLE
    if (!(err instanceof ApiError) || err.answer.status < 500) throw err
    report.refused++
    const { status, headers, text } = err.answer
    if (status !== 503 || headers.get('retry-after') === null) report.wrong.push(`${status} ${text}`)
    return UNAVAILABLE
  }
}

/**
 * Makes a change while a process is paused, uses it while it still is, and resumes it. Returns stale observations and the time
 * of the slowest change.
 */
export async function proveWhilePaused(
  environment: Environment,
  row: ChangeRow,
  { pause, resume, turns, usesAtOnce }: { pause: Step; resume: Step; turns: number; usesAtOnce: number },
): Promise<{ readonly stale: string[]; readonly longestChangeMs: number }> {
  const steps = await row.prepare(environment)
  const stale: string[] = []
  let longestChangeMs = 0
  for (let index = 0; index < turns; index++) {
    const turn = { index, isOn: index % 2 === 0 }
    await pause()
    try {
      const startedAt = Date.now()
      await steps.change(environment.at(0), turn)
      longestChangeMs = Math.max(longestChangeMs, Date.now() - startedAt)
    } finally {
      // They wait for the process, or another one answers them.
      const uses = Array.from({ length: usesAtOnce }, () => steps.use(environment.at(1), turn))
      await resume()
      for (const observed of await Promise.all(uses)) {
        if (JSON.stringify(observed) !== JSON.stringify(steps.expected(turn)))
          stale.push(`turn ${index}: ${JSON.stringify(observed)}`)
      }
    }
  }
  return { stale, longestChangeMs }
}

type Step = () => Promise<void>

/** The client at each gateway. */
export const atBoth = ({ at }: Environment, client: ApiClient): ApiClient[] => [at(0)(client), at(1)(client)]
