import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { type KnownLog, knowLog } from './event-model/known-log.ts'
import { play } from './event-model/play.ts'
import { type Stage, setStage } from './event-model/stage.ts'

/** Five blows, of which some fall at once, take half a minute. `npm run soak` goes on for as long as one likes. */
const SIZE = { clients: 10, faults: 5 }
const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

let product: TestSystem
let log: KnownLog
let stage: Stage
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: true,
    replicas: { events: 2, messaging: 2 },
  })
  log = await knowLog(product)
  stage = await setStage(product, log)
}, 180_000)
afterAll(async () => {
  await log?.close()
  await product?.stop()
}, 120_000)

test(`clients are told what the model says, whatever breaks (SOAK_SEED=${seed})`, async () => {
  const said: string[] = []
  const failure = await play(stage, { seed, size: SIZE, note: (text) => said.push(text) })

  const story = failure && `SOAK_SEED=${seed}\n${said.join(', ')}\n${failure.problems.join('\n')}`
  expect(story).toBeNull()
}, 900_000)
