import type { LogEntry } from '@tms/contracts'
import { expect, test } from 'vitest'
import { audienceOf, presentationOf } from './presentations.ts'

const OF_NEWER_RELEASE: LogEntry = {
  ...{ stream: 's', source: 'messaging', seq: 1, xid: 1, at: 0, realm_id: 1, request_id: null },
  event: 'messaging.something_new.v1',
  payload: { some: 'field' },
}

test('an event of a newer release is delivered to nobody by this one', () => {
  expect(audienceOf(OF_NEWER_RELEASE)).toEqual([])
  expect(presentationOf(OF_NEWER_RELEASE).list({}, {} as never, new Map())).toEqual([])
})
