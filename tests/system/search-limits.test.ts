import { createLog, createPool, type Pool, transact } from '@tms/service-kit'
import { ApiError, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesOf } from './support/observe.ts'
import { findTexts } from './support/search.ts'
import { lockTable } from './support/table-lock.ts'
import { newChannel, newUsers, sendToChannel } from './support/users-and-channels.ts'

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { messaging: 1 },
    serviceEnv: { DATABASE_POOL_MAX: '10' },
  })
  db = createPool(product.system.databaseUrls.messaging, 3, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
})

/** The error of a rejected request. */
function refusalOf(err: unknown): string {
  if (!(err instanceof ApiError)) throw err
  const { code, msg } = err.answer.body as { code: string; msg: string }
  return `${code}: ${msg}`
}

test('expensive searches of one user end in time, and do not delay sends and fetches of others', async () => {
  const { owner } = product
  const [member] = await newUsers(product, 1)
  if (!member) throw new Error('no user was made')
  const { name } = await newChannel(owner, { others: [member] })
  const walrus = await sendToChannel(owner, name, 'a walrus')

  // Without the indexer, only searches read the texts, and none of them advances.
  await transact(db, async (tx) => {
    await tx.query('select from search_progress for update')
    const texts = await lockTable(db, 'message_texts')
    try {
      const searches = Array.from({ length: 20 }, () => findTexts(owner, '"e"').catch(refusalOf))
      await texts.waitForWaiters(1)

      const penguin = await sendToChannel(member, name, 'a penguin')
      const seen = await messagesOf(member, name)
      expect(seen.slice(-2).map(({ id }) => id)).toEqual([walrus, penguin])

      expect(new Set(await Promise.all(searches))).toEqual(
        new Set([
          'BAD_NARROW: This search takes too long; name a channel or a sender, or search for longer words',
          'SERVICE_UNAVAILABLE: Too much is searched for at once; try again shortly',
        ]),
      )
    } finally {
      await texts.release()
    }
  })

  expect(await findTexts(owner, 'walrus')).toEqual([walrus])
})
