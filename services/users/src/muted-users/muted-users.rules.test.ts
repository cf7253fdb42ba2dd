import { describe, expect, test } from 'vitest'
import { addMuted, removeMuted } from './muted-users.rules.ts'

const now = new Date(1_700_000_000_999)
const muted = [{ id: 7, timestamp: 1 }]

describe('addMuted', () => {
  test('appends with the time in whole seconds', () => {
    expect(addMuted(muted, 5, now)).toEqual([...muted, { id: 5, timestamp: 1_700_000_000 }])
  })

  test('refuses a muted user', () => {
    expect(() => addMuted(muted, 7, now)).toThrow('already')
  })

  test('refuses the 1,001st', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ id: i + 1, timestamp: 1 }))

    expect(() => addMuted(many, 2_000, now)).toThrow('at most 1000')
  })
})

describe('removeMuted', () => {
  test('leaves the others', () => {
    expect(removeMuted([...muted, { id: 8, timestamp: 2 }], 7)).toEqual([{ id: 8, timestamp: 2 }])
  })

  test('refuses a user who is not muted', () => {
    expect(() => removeMuted(muted, 8)).toThrow('not muted')
  })
})
