import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BufferedBytes } from './buffered-bytes.ts'

const GRACE_MS = 5_000

let held: BufferedBytes
let ended: string[]
beforeEach(() => {
  vi.useFakeTimers()
  held = new BufferedBytes(100, GRACE_MS)
  ended = []
})
afterEach(() => {
  vi.useRealTimers()
})

const hold = (name: string, bytes: number) => {
  const holding = held.begin(() => ended.push(name))
  holding.add(bytes)
  return holding
}

test('what fits is held for as long as it takes', () => {
  hold('a', 60)
  hold('b', 40)
  vi.advanceTimersByTime(3_600_000)
  expect([ended, held.total]).toEqual([[], 100])
})

test('what is held longest ends when there is too much, and no more than makes room', () => {
  hold('a', 30)
  hold('b', 30)
  hold('c', 30)
  vi.advanceTimersByTime(GRACE_MS)
  hold('new', 50)
  expect([ended, held.total]).toEqual([['a', 'b'], 80])
})

test('what has not been held for long goes on until it has, though nobody else comes', () => {
  hold('a', 60)
  vi.advanceTimersByTime(1_000)
  hold('b', 60)
  vi.advanceTimersByTime(GRACE_MS - 1_001)
  expect([ended, held.total]).toEqual([[], 120])
  vi.advanceTimersByTime(1)
  expect([ended, held.total]).toEqual([['a'], 60])
})

test('what grows is counted, and what was released or ended counts no more', () => {
  const [a, b] = [hold('a', 10), hold('b', 10)]
  a.release()
  a.release()
  vi.advanceTimersByTime(GRACE_MS)
  b.add(91)
  b.add(50)
  b.release()
  expect([ended, held.total]).toEqual([['b'], 0])
})

test('what ended meanwhile leaves the others alone', () => {
  const a = hold('a', 60)
  hold('b', 60)
  a.release()
  vi.advanceTimersByTime(GRACE_MS)
  expect([ended, held.total]).toEqual([[], 60])
})
