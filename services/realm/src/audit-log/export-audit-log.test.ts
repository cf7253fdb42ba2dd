import { AppError } from '@tms/contracts'
import { FileAnswer } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { Context } from '../kernel/context.ts'
import { handleExportAuditLog } from './export-audit-log.ts'

/** A database with so many entries, which is asked by the pool alone. */
function aDatabase(count: number) {
  const state = { asked: 0 }
  const query = async (sql: string, values: number[]) => {
    state.asked++
    if (sql.includes('max(id)')) return { rows: [{ id: count }] }
    const [after = 0] = values.slice(-2)
    return {
      rows: Array.from({ length: Math.min(1_000, count - after) }, (_, nth) => ({ id: after + nth + 1 })),
    }
  }
  return { state, db: { query } as unknown as Context['db'] }
}

const request = (db: Context['db'], realmId: number) =>
  ({
    input: { format: 'jsonl' },
    caller: { realmId },
    context: { db, transact: async () => undefined },
    requestId: 'a request',
  }) as unknown as Parameters<typeof handleExportAuditLog>[0]

const open = async (db: Context['db'], realmId: number) => {
  const answer = await handleExportAuditLog(request(db, realmId))
  if (!(answer instanceof FileAnswer)) throw new Error('no file')
  return answer.source.open({ start: 0, end: Number.MAX_SAFE_INTEGER })
}

test('an export has every entry once, and asks for the next page only when its reader takes it', async () => {
  const { state, db } = aDatabase(10_500)
  const file = await open(db, 1)
  const lines: string[] = []
  let askedAtFirst = 0
  for await (const piece of file) {
    askedAtFirst ||= lines.length > 0 ? state.asked : 0
    lines.push(...String(piece).split('\n').filter(Boolean))
  }

  expect(lines.map((line) => JSON.parse(line).id)).toEqual(
    Array.from({ length: 10_500 }, (_, nth) => nth + 1),
  )
  expect(askedAtFirst).toBeLessThan(state.asked)
})

test('an organization has one export at a time, until its reader has it or leaves', async () => {
  const { db } = aDatabase(2_500)
  const first = await open(db, 2)
  await expect(open(db, 2)).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' })
  await expect(open(db, 2)).rejects.toBeInstanceOf(AppError)
  const other = await open(db, 3)

  const closed = new Promise((resolve) => first.once('close', resolve))
  first.destroy()
  await closed
  for await (const _ of await open(db, 2));
  for await (const _ of await open(db, 2));
  other.destroy()
})
