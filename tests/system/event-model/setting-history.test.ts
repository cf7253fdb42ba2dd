import { domainEvents, type LogEntry } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { Action } from './actor.ts'
import type { LogRecord } from './log-records.ts'
import { settingChanges, settingUses } from './setting-history.ts'

const sets = { name: 'the name of 3', value: 'rename 7' }
const action = (outcome: Action['outcome']): Action => ({
  act: 'rename',
  requestIds: ['request'],
  outcome,
  mark: 'rename 7',
  beganAt: 10,
  endedAt: 20,
  sets,
  shown: [],
})
const entry = {
  event: domainEvents.users.userUpdated.name,
  at: 0,
  request_id: 'request',
  payload: { changes: [{ kind: 'full_name', full_name: 'rename 7' }] },
} as unknown as LogEntry
const inLog = (readAt: number): LogRecord[] => [{ offset: 1, entry, readAt }]

describe('a change of a setting', () => {
  test.each<[string, Action['outcome'], readonly LogRecord[], object]>([
    ['was made once it was answered', 'done', inLog(30), { outcome: 'done', endedAt: 20 }],
    [
      'was made once its event was there, before its answer',
      'done',
      inLog(15),
      { outcome: 'done', endedAt: 15 },
    ],
    [
      'was made, without an answer, once its event was there',
      'unknown',
      inLog(30),
      { outcome: 'done', endedAt: 30 },
    ],
    ['was not made, without an answer and an event', 'unknown', [], { outcome: 'refused' }],
    ['was not made if it was refused', 'refused', [], { outcome: 'refused' }],
    ['was made without an event if it set what was set', 'done', [], { outcome: 'done', endedAt: 20 }],
  ])('%s', (_, outcome, log, expected) => {
    expect(settingChanges([action(outcome)], log)).toMatchObject([{ ...sets, beganAt: 10, ...expected }])
  })

  test('is not an action that changes none', () => {
    expect(settingChanges([{ ...action('done'), sets: null }], [])).toEqual([])
  })
})

describe('uses of settings', () => {
  test('are all that an action observed, from its start to its response', () => {
    const shown = [sets, { name: 'the link', value: '7' }]

    expect(settingUses([{ ...action('done'), shown }])).toEqual(
      shown.map((setting) => ({ ...setting, beganAt: 10, endedAt: 20 })),
    )
  })
})
