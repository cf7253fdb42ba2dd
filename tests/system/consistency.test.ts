import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { startTestSystem, stopFollowing, type TestSystem } from '@tms/test-kit'
import type { ChangeRow } from './consistency/change-row.ts'
import { lanes } from './consistency/lanes.ts'
import { type RowResult, startLanes, TURNS } from './consistency/run-rows.ts'

const START_MS = 180_000
/** Lanes run side by side, so the first test waits for most of what the others have done meanwhile. */
const RUN_MS = 900_000

jest.setTimeout(RUN_MS)
let product: TestSystem
let results: Map<ChangeRow, Promise<RowResult>>
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { gateway: 2, messaging: 2, users: 2, realm: 2, events: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true' },
  })
  results = startLanes(product, lanes)
}, START_MS)
afterAll(async () => {
  await Promise.all(results.values())
  await stopFollowing()
  await product.stop()
}, RUN_MS)

describe.each(lanes)(`$subject: a change is in force for the next request, ${TURNS} times`, ({ rows }) => {
  test.each(rows)('$name', async (row) => {
    const { error, stale, heldAfterMs } = (await results.get(row)) as RowResult

    expect(error).toBeNull()
    expect({ stale: `${stale.length} of ${TURNS}`, heldAfterMs, turns: stale.slice(0, 3) }).toEqual({
      stale: `0 of ${TURNS}`,
      heldAfterMs: 0,
      turns: [],
    })
  })
})
