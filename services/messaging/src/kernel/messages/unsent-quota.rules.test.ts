import { expect, test } from 'vitest'
import { checkQuota, checkTotalSize } from './unsent-quota.rules.ts'

const MIB = 1024 * 1024

test('accepts the maximum count, and texts of 8 MiB in total', () => {
  checkQuota('drafts', { count: 1_000, bytes: 8 * MIB }, 1_000)
  checkTotalSize('drafts', { bytes: 8 * MIB })
})

test('rejects more than that, and longer texts', () => {
  expect(() => checkQuota('drafts', { count: 1_001, bytes: 0 }, 1_000)).toThrow('at most 1000 drafts')
  expect(() => checkQuota('drafts', { count: 1, bytes: 8 * MIB + 1 }, 1_000)).toThrow('at most 8 MiB')
  expect(() => checkTotalSize('drafts', { bytes: 8 * MIB + 1 })).toThrow('at most 8 MiB')
})
