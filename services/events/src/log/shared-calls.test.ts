import { beforeEach, expect, test } from 'vitest'
import { shareCalls } from './shared-calls.ts'

/** Calls that were made, to be answered one by one. */
let calls: { answer: (value: number) => void; fail: () => void }[]
let call: () => Promise<number>
beforeEach(() => {
  calls = []
  call = shareCalls(
    () =>
      new Promise((resolve, reject) => {
        calls.push({ answer: resolve, fail: () => reject(new Error('no answer')) })
      }),
  )
})
/** Resolves when all reactions to settled promises have run. */
const reactions = () => new Promise((resolve) => setImmediate(resolve))

test('callers that arrive during a call share the next one', async () => {
  const first = call()
  const others = [call(), call()]
  expect(calls).toHaveLength(1)
  calls[0]?.answer(1)
  await reactions()
  calls[1]?.answer(2)

  expect(await first).toBe(1)
  expect(await Promise.all(others)).toEqual([2, 2])
  expect(calls).toHaveLength(2)
})

test('an error of a call reaches only the callers of that call', async () => {
  const first = call()
  const other = call()
  calls[0]?.fail()
  await expect(first).rejects.toThrow('no answer')
  await reactions()
  calls[1]?.answer(2)

  expect(await other).toBe(2)
})

test('a caller after an answered call makes a new one', async () => {
  const first = call()
  calls[0]?.answer(1)
  await first
  await reactions()
  const later = call()
  calls[1]?.answer(2)

  expect(await later).toBe(2)
})
