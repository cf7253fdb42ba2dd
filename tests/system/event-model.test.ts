import { afterAll, beforeAll, expect, test } from 'vitest'
import { play } from './event-model/play.ts'
import { startStage } from './event-model/stage.ts'

/** Five blows, of which some fall at once, take half a minute. `npm run soak` goes on for as long as one likes. */
const SIZE = { clients: 10, faults: 5 }
const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

let stage: Awaited<ReturnType<typeof startStage>>
beforeAll(async () => {
  stage = await startStage()
}, 180_000)
afterAll(() => stage?.stop(), 120_000)

test(`clients are told what the model says, and a success holds everywhere, whatever breaks (SOAK_SEED=${seed})`, async () => {
  const said: string[] = []
  const failure = await play(stage, { seed, size: SIZE, note: (text) => said.push(text) })

  const story = failure && `SOAK_SEED=${seed}\n${said.join(', ')}\n${failure.problems.join('\n')}`
  expect(story).toBeNull()
}, 900_000)
