import type { AuditRecord } from '@tms/contracts'
import { expect, test } from 'vitest'
import { csvHeader, toCsvLine } from './csv.ts'

const entry: AuditRecord = {
  ...{
    id: 7,
    time: 1.5,
    actor_kind: 'user',
    actor_id: 3,
    action: 'user_renamed',
    target_type: 'user',
    target_ids: [4, 5],
  },
  ...{ channel_id: null, group_id: null, details: { after: 'A "B", C' }, ip_address: '::1', client: '=1+1' },
  request_id: null,
}

test('a line has a cell for each name, with quotes where they are needed', () => {
  expect(csvHeader).toBe(
    'id,time,actor_kind,actor_id,action,target_type,target_ids,channel_id,group_id,details,ip_address,client,request_id\n',
  )
  expect(toCsvLine(entry)).toBe(
    '7,1.5,user,3,user_renamed,user,4 5,,,"{""after"":""A \\""B\\"", C""}",::1,\'=1+1,',
  )
})
