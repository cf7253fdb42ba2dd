import type { Pool } from '@tms/service-kit'
import { expect, test } from 'vitest'
import { listEntries } from './entries.queries.ts'

test('a page that takes too long is refused, and its statement has a limit of its own', async () => {
  const limits: string[] = []
  const query = async (sql: string) => {
    if (sql.includes('statement_timeout')) limits.push(sql)
    if (!sql.includes('from audit_log')) return { rows: [] }
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  }
  const db = { connect: async () => ({ query, release: () => {} }) } as unknown as Pool

  await expect(listEntries(db, 1, {}, { beforeId: undefined, limit: 1 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect(limits).toEqual(['set local statement_timeout = 20000'])
})
