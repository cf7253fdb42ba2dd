import { beforeEach, expect, test } from 'vitest'
import { shareQuestion } from './shared-question.ts'

/** Questions that were asked, to be answered one by one. */
let asked: { answer: (value: number) => void; fail: () => void }[]
let ask: () => Promise<number>
beforeEach(() => {
  asked = []
  ask = shareQuestion(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: resolve, fail: () => reject(new Error('no answer')) })
      }),
  )
})
/** Whatever follows from what is settled has happened by then. */
const soon = () => new Promise((resolve) => setImmediate(resolve))

test('whoever asks while a question is under way shares the next, which is asked after they came', async () => {
  const first = ask()
  const others = [ask(), ask()]
  expect(asked).toHaveLength(1)
  asked[0]?.answer(1)
  await soon()
  asked[1]?.answer(2)

  expect(await first).toBe(1)
  expect(await Promise.all(others)).toEqual([2, 2])
  expect(asked).toHaveLength(2)
})

test('a question that fails fails for those who asked it alone', async () => {
  const first = ask()
  const other = ask()
  asked[0]?.fail()
  await expect(first).rejects.toThrow('no answer')
  await soon()
  asked[1]?.answer(2)

  expect(await other).toBe(2)
})

test('once it is answered, it is asked anew', async () => {
  const first = ask()
  asked[0]?.answer(1)
  await first
  await soon()
  const later = ask()
  asked[1]?.answer(2)

  expect(await later).toBe(2)
})
