import { expect, test } from 'vitest'
import { checkSnooze } from './snooze.rules.ts'

const now = new Date('2026-11-27T12:00:00Z')
const inDays = (days: number) => Math.floor(now.getTime() / 1_000) + days * 86_400

test.each([undefined, 0, inDays(-1), inDays(90)])('%s is a time until which there may be quiet', (time) => {
  expect(() => checkSnooze(time, now)).not.toThrow()
})

test('quiet for longer than 90 days is refused', () => {
  expect(() => checkSnooze(inDays(90) + 1, now)).toThrow('more than 90 days')
})
