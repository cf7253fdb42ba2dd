import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BufferedBytes } from './buffered-bytes.ts'

const GRACE_MS = 5_000

let buffered: BufferedBytes
let ended: string[]
beforeEach(() => {
  vi.useFakeTimers()
  buffered = new BufferedBytes(100, GRACE_MS)
  ended = []
})
afterEach(() => {
  vi.useRealTimers()
})

const hold = (name: string, bytes: number) => {
  const tracker = buffered.begin(() => ended.push(name))
  tracker.add(bytes)
  return tracker
}

test('buffers below the limit stay for any time', () => {
  hold('a', 60)
  hold('b', 40)
  vi.advanceTimersByTime(3_600_000)
  expect([ended, buffered.total]).toEqual([[], 100])
})

test('the oldest buffers end above the limit, and only as many as necessary', () => {
  hold('a', 30)
  hold('b', 30)
  hold('c', 30)
  vi.advanceTimersByTime(GRACE_MS)
  hold('new', 50)
  expect([ended, buffered.total]).toEqual([['a', 'b'], 80])
})

test('young buffers stay until they are old enough, and end then without a further event', () => {
  hold('a', 60)
  vi.advanceTimersByTime(1_000)
  hold('b', 60)
  vi.advanceTimersByTime(GRACE_MS - 1_001)
  expect([ended, buffered.total]).toEqual([[], 120])
  vi.advanceTimersByTime(1)
  expect([ended, buffered.total]).toEqual([['a'], 60])
})

test('growth is counted, and released or ended buffers are not', () => {
  const [a, b] = [hold('a', 10), hold('b', 10)]
  a.release()
  a.release()
  vi.advanceTimersByTime(GRACE_MS)
  b.add(91)
  b.add(50)
  b.release()
  expect([ended, buffered.total]).toEqual([['b'], 0])
})

test('buffers that ended meanwhile do not affect the others', () => {
  const a = hold('a', 60)
  hold('b', 60)
  a.release()
  vi.advanceTimersByTime(GRACE_MS)
  expect([ended, buffered.total]).toEqual([[], 60])
})
