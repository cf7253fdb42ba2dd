import { expect, test } from 'vitest'
import { checkLength, checkRoom } from './unsent-room.rules.ts'

const MIB = 1024 * 1024

test('there is room for as many as may be, and for texts of 8 MiB in all', () => {
  checkRoom('drafts', { count: 1_000, bytes: 8 * MIB }, 1_000)
  checkLength('drafts', { bytes: 8 * MIB })
})

test('there is none for more, or for longer ones', () => {
  expect(() => checkRoom('drafts', { count: 1_001, bytes: 0 }, 1_000)).toThrow('at most 1000 drafts')
  expect(() => checkRoom('drafts', { count: 1, bytes: 8 * MIB + 1 }, 1_000)).toThrow('at most 8 MiB')
  expect(() => checkLength('drafts', { bytes: 8 * MIB + 1 })).toThrow('at most 8 MiB')
})
