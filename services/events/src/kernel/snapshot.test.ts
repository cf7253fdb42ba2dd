import { describe, expect, test } from 'vitest'
import { isVisible, parseSnapshot } from './snapshot.ts'

describe('isVisible', () => {
  const snapshot = parseSnapshot('100:110:103,107')

  test('is true for every transaction below xmin', () => {
    expect(isVisible(snapshot, 99)).toBe(true)
  })

  test('is true for a transaction between xmin and xmax that had ended', () => {
    expect(isVisible(snapshot, 100)).toBe(true)
    expect(isVisible(snapshot, 109)).toBe(true)
  })

  test('is false for a transaction that was still running', () => {
    expect(isVisible(snapshot, 103)).toBe(false)
    expect(isVisible(snapshot, 107)).toBe(false)
  })

  test('is false for every transaction from xmax on', () => {
    expect(isVisible(snapshot, 110)).toBe(false)
    expect(isVisible(snapshot, 5_000)).toBe(false)
  })
})

describe('parseSnapshot', () => {
  test('parses a snapshot without running transactions', () => {
    expect(parseSnapshot('5:5:')).toEqual({ xmin: 5, xmax: 5, inProgress: new Set() })
  })

  test('throws on invalid text', () => {
    expect(() => parseSnapshot('')).toThrow('not a snapshot')
  })
})
