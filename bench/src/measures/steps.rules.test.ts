import { expect, test } from 'vitest'
import { cutIntoSteps, type ServiceMark } from './steps.rules.ts'

const mark = (at: number, name: string): ServiceMark => ({ at, name, what: 'sql', service: 'messaging' })
const steps = ['a', 'b'].map((name) => ({ label: name, ends: (one: ServiceMark) => one.name === name }))

test('measures each step of a send at its first matching mark', () => {
  const marks = [mark(1, 'a'), mark(12, 'b'), mark(13, 'a'), mark(14, 'a'), mark(17, 'b')]

  expect(cutIntoSteps(marks, steps, { startedAt: 10, endedAt: 20 })).toEqual([3, 4, 3])
})

test('leaves out a send that lacks one of the marks', () => {
  const marks = [mark(11, 'a'), mark(25, 'b')]

  expect(cutIntoSteps(marks, steps, { startedAt: 10, endedAt: 20 })).toBeNull()
  expect(cutIntoSteps(marks, steps, { startedAt: 30, endedAt: 40 })).toBeNull()
})
