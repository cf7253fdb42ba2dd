import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startProgressLine } from './progress-line.ts'

const ERASED = '\r\x1b[K'

describe('a progress line', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The lines written while `show` is called ten times a second. */
  const written = (isTTY: boolean, seconds: number): string[] => {
    const lines: string[] = []
    const line = startProgressLine({ stderr: { isTTY, write: (text) => lines.push(text) } })
    for (let i = 0; i < seconds * 10; i++) {
      line.show(`at ${i / 10} s`)
      vi.advanceTimersByTime(100)
    }
    line.end()
    return lines
  }

  test('is overwritten on a terminal, and erased at the end', () => {
    expect(written(true, 0.2)).toEqual([`${ERASED}at 0 s`, `${ERASED}at 0.1 s`, ERASED])
  })

  test('is written every 30 seconds without a terminal, and not at all for short work', () => {
    expect(written(false, 70)).toEqual(['at 30 s\n', 'at 60 s\n'])
    expect(written(false, 20)).toEqual([])
  })
})
