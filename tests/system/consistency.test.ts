import { startTestSystem, stopPolling, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ChangeRow } from './consistency/change-row.ts'
import { eventRowGroups, rowGroups } from './consistency/row-groups.ts'
import { type RowResult, startRowGroups, TURNS, type UseAfter } from './consistency/run-rows.ts'

const START_MS = 180_000
/** Groups of rows run in parallel, so the first test waits for much of the others' work. */
const RUN_MS = 900_000

vi.setConfig({ testTimeout: RUN_MS, hookTimeout: RUN_MS })
let product: TestSystem
const results = {} as Record<UseAfter, Map<ChangeRow, Promise<RowResult>>>
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { gateway: 2, messaging: 2, users: 2, realm: 2, events: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true' },
  })
  results.answer = startRowGroups(product, rowGroups, 'answer')
  results.event = startRowGroups(product, eventRowGroups, 'event')
}, START_MS)
afterAll(async () => {
  await Promise.all(Object.values(results).flatMap((rows) => [...rows.values()]))
  await stopPolling()
  await product.stop()
}, RUN_MS)

const expectNoneStale = async (useAfter: UseAfter, row: ChangeRow): Promise<void> => {
  const { error, stale, appliedAfterMs } = (await results[useAfter].get(row)) as RowResult

  expect(error).toBeNull()
  expect({ stale: `${stale.length} of ${TURNS}`, appliedAfterMs, turns: stale.slice(0, 3) }).toEqual({
    stale: `0 of ${TURNS}`,
    appliedAfterMs: 0,
    turns: [],
  })
}

describe('after a change was acknowledged, every later request sees it', () => {
  describe.each(rowGroups)('$subject', ({ rows }) => {
    test.each(rows)('$name', (row) => expectNoneStale('answer', row))
  })
})

describe('after a client received the event of a change, its next request sees it', () => {
  describe.each(eventRowGroups)('$subject', ({ rows }) => {
    test.each(rows)('$name', (row) => expectNoneStale('event', row))
  })
})
