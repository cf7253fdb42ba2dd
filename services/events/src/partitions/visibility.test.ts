import { describe, expect, test } from 'vitest'
import { isVisible, parseSnapshot } from './visibility.ts'

describe('isVisible', () => {
  const snapshot = parseSnapshot('100:110:103,107')

  test('shows everything below xmin', () => {
    expect(isVisible(snapshot, 99)).toBe(true)
  })

  test('shows what had ended between xmin and xmax', () => {
    expect(isVisible(snapshot, 100)).toBe(true)
    expect(isVisible(snapshot, 109)).toBe(true)
  })

  test('hides what was still running', () => {
    expect(isVisible(snapshot, 103)).toBe(false)
    expect(isVisible(snapshot, 107)).toBe(false)
  })

  test('hides everything from xmax on', () => {
    expect(isVisible(snapshot, 110)).toBe(false)
    expect(isVisible(snapshot, 5_000)).toBe(false)
  })
})

describe('parseSnapshot', () => {
  test('reads a snapshot in which nothing is running', () => {
    expect(parseSnapshot('5:5:')).toEqual({ xmin: 5, xmax: 5, inProgress: new Set() })
  })

  test('refuses anything else', () => {
    expect(() => parseSnapshot('')).toThrow('not a snapshot')
  })
})
