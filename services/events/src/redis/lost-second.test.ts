import { expect, test } from 'vitest'
import { watchLostSecond } from './lost-second.ts'

/** Resolves when all reactions to settled promises have run. */
const reactions = () => new Promise((resolve) => setImmediate(resolve))

test('offsets written after the connection to Redis are not lost, earlier ones may be', async () => {
  let connectedAt = 1
  let logEnd = 10
  const isLostCommitPossible = watchLostSecond({
    connectedAt: () => connectedAt,
    findEnd: async () => logEnd,
  })

  expect(isLostCommitPossible(11)).toBe(true)
  await reactions()
  logEnd = 20
  expect([isLostCommitPossible(10), isLostCommitPossible(11)]).toEqual([true, false])

  connectedAt = 2
  expect(isLostCommitPossible(21)).toBe(true)
  await reactions()
  expect([isLostCommitPossible(20), isLostCommitPossible(21)]).toEqual([true, false])
})

test('any offset may be lost while the end of the log is unknown', async () => {
  let isUnavailable = true
  const findEnd = async () => {
    if (isUnavailable) throw new Error('unavailable')
    return 10
  }
  const isLostCommitPossible = watchLostSecond({ connectedAt: () => 1, findEnd })

  isLostCommitPossible(0)
  await reactions()
  expect(isLostCommitPossible(11)).toBe(true)
  isUnavailable = false
  await reactions()
  isLostCommitPossible(0)
  await reactions()
  expect(isLostCommitPossible(11)).toBe(false)
})

test('ignores the end of the log that was requested for an earlier connection', async () => {
  let connectedAt = 1
  const answers: ((end: number) => void)[] = []
  const findEnd = () => new Promise<number>((resolve) => answers.push(resolve))
  const isLostCommitPossible = watchLostSecond({ connectedAt: () => connectedAt, findEnd })

  isLostCommitPossible(0)
  connectedAt = 2
  isLostCommitPossible(0)
  answers[0]?.(10)
  await reactions()
  expect(isLostCommitPossible(11)).toBe(true)
  answers[1]?.(12)
  await reactions()
  expect([isLostCommitPossible(12), isLostCommitPossible(13)]).toEqual([true, false])
})
