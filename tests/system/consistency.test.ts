import { startTestSystem, stopFollowing, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ChangeRow } from './consistency/change-row.ts'
import { lanes, lanesByEvent } from './consistency/lanes.ts'
import { type Moment, type RowResult, startLanes, TURNS } from './consistency/run-rows.ts'

const START_MS = 180_000
/** Lanes run side by side, so the first test waits for much of what the others do meanwhile. */
const RUN_MS = 900_000

vi.setConfig({ testTimeout: RUN_MS, hookTimeout: RUN_MS })
let product: TestSystem
const results = {} as Record<Moment, Map<ChangeRow, Promise<RowResult>>>
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { gateway: 2, messaging: 2, users: 2, realm: 2, events: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true' },
  })
  results.answer = startLanes(product, lanes, 'answer')
  results.event = startLanes(product, lanesByEvent, 'event')
}, START_MS)
afterAll(async () => {
  await Promise.all(Object.values(results).flatMap((rows) => [...rows.values()]))
  await stopFollowing()
  await product.stop()
}, RUN_MS)

const expectNoneStale = async (moment: Moment, row: ChangeRow): Promise<void> => {
  const { error, stale, heldAfterMs } = (await results[moment].get(row)) as RowResult

  expect(error).toBeNull()
  expect({ stale: `${stale.length} of ${TURNS}`, heldAfterMs, turns: stale.slice(0, 3) }).toEqual({
    stale: `0 of ${TURNS}`,
    heldAfterMs: 0,
    turns: [],
  })
}

describe('once a change is answered, every request that begins is served by it', () => {
  describe.each(lanes)('$subject', ({ rows }) => {
    test.each(rows)('$name', (row) => expectNoneStale('answer', row))
  })
})

describe('once a client got the event of a change, its next request is served by it', () => {
  describe.each(lanesByEvent)('$subject', ({ rows }) => {
    test.each(rows)('$name', (row) => expectNoneStale('event', row))
  })
})
