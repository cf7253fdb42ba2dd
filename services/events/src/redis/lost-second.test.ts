import { expect, test } from 'vitest'
import { watchLostSecond } from './lost-second.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what was written to the log after Redis was connected with is not lost, what was there before may be', async () => {
  let connectedAt = 1
  let logEnd = 10
  const mayBeLost = watchLostSecond({ connectedAt: () => connectedAt, findEnd: async () => logEnd })

  expect(mayBeLost(11)).toBe(true)
  await settled()
  logEnd = 20
  expect([mayBeLost(10), mayBeLost(11)]).toEqual([true, false])

  connectedAt = 2
  expect(mayBeLost(21)).toBe(true)
  await settled()
  expect([mayBeLost(20), mayBeLost(21)]).toEqual([true, false])
})

test('anything may be lost while the broker does not say where the log ends', async () => {
  let isAway = true
  const findEnd = async () => {
    if (isAway) throw new Error('away')
    return 10
  }
  const mayBeLost = watchLostSecond({ connectedAt: () => 1, findEnd })

  mayBeLost(0)
  await settled()
  expect(mayBeLost(11)).toBe(true)
  isAway = false
  await settled()
  mayBeLost(0)
  await settled()
  expect(mayBeLost(11)).toBe(false)
})

test('the end that was asked for over an earlier connection does not count', async () => {
  let connectedAt = 1
  const answers: ((end: number) => void)[] = []
  const findEnd = () => new Promise<number>((resolve) => answers.push(resolve))
  const mayBeLost = watchLostSecond({ connectedAt: () => connectedAt, findEnd })

  mayBeLost(0)
  connectedAt = 2
  mayBeLost(0)
  answers[0]?.(10)
  await settled()
  expect(mayBeLost(11)).toBe(true)
  answers[1]?.(12)
  await settled()
  expect([mayBeLost(12), mayBeLost(13)]).toEqual([true, false])
})
