import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEnvironment } from './event-model/environment.ts'
import { play } from './event-model/play.ts'

/** Five faults, some of them overlapping, take half a minute. `npm run soak` runs longer. */
const SIZE = { clients: 10, faults: 5 }
const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

let environment: Awaited<ReturnType<typeof startEnvironment>>
beforeAll(async () => {
  environment = await startEnvironment()
}, 180_000)
afterAll(() => environment?.stop(), 120_000)

test(`clients receive what the model predicts, and acknowledged changes hold everywhere, under any fault (SOAK_SEED=${seed})`, async () => {
  const notes: string[] = []
  const failure = await play(environment, { seed, size: SIZE, note: (text) => notes.push(text) })

  const story = failure && `SOAK_SEED=${seed}\n${notes.join(', ')}\n${failure.problems.join('\n')}`
  expect(story).toBeNull()
}, 900_000)
