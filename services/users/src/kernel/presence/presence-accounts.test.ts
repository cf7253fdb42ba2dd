import type { Pool } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { PresenceAccount, PresenceAccountsRead } from './presence-accounts.queries.ts'
import { createPresenceAccounts } from './presence-accounts.ts'

const REALM = 1

test('calls that come during another get what changed before they came, by one statement', async () => {
  const { accounts, answer, questions } = openDatabase()
  const early = accounts.read(REALM, [1])
  const late = Promise.all([accounts.read(REALM, [1, 2]), accounts.read(REALM, [2, 3])])
  expect(questions).toEqual([[1]])

  answer({ found: [account(1, 'before@example.com')] })
  await early
  answer({ changed: [account(1, 'after@example.com')], found: [account(2), account(3)] })

  expect(questions).toEqual([[1], [2, 3]])
  for (const read of await late) expect(read.get(1)?.email).toBe('after@example.com')
  expect((await early).get(1)?.email).toBe('before@example.com')
})

test('calls of different organizations wait for none of each other', async () => {
  const { accounts, answer, questions } = openDatabase()
  const reads = [accounts.read(1, [1]), accounts.read(2, [2])]
  expect(questions).toEqual([[1], [2]])

  answer({ found: [account(1)] })
  answer({ found: [account(2)] })

  expect((await Promise.all(reads)).map((read) => [...read.keys()])).toEqual([[1], [2]])
})

test('a failed statement fails those who share it, and is forgotten', async () => {
  const { accounts, answer, fail, questions } = openDatabase()
  const first = accounts.read(REALM, [1])
  const joined = [accounts.read(REALM, [2]), accounts.read(REALM, [3])]
  answer({ found: [account(1)] })
  await first
  fail()
  const results = await Promise.allSettled(joined)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])

  const later = accounts.read(REALM, [1, 4])
  answer({ found: [account(4)] })
  expect([...(await later).keys()]).toEqual([1, 4])
  expect(questions).toEqual([[1], [2, 3], [4]])
})

test('a call right after another shares its statement with those that wait', async () => {
  const { accounts, answer, questions } = openDatabase()
  const twice = accounts.read(REALM, [1]).then(() => accounts.read(REALM, [3]))
  const waiting = accounts.read(REALM, [2])
  answer({ found: [account(1)] })
  await new Promise(setImmediate)
  expect(questions).toEqual([[1], [2, 3]])

  answer({ found: [account(2), account(3)] })
  expect([...(await waiting).keys()]).toEqual([1, 2, 3])
  expect((await twice).has(3)).toBe(true)
  expect(questions).toHaveLength(2)
})

/** A database that is answered for: `questions` are the IDs that each statement asks for. */
function openDatabase() {
  const questions: number[][] = []
  const open: PromiseWithResolvers<{ rows: PresenceAccountsRead[] }>[] = []
  const db = {
    query: ({ values }: { values: [number, number | null, number[]] }) => {
      questions.push(values[2])
      const question = Promise.withResolvers<{ rows: PresenceAccountsRead[] }>()
      open.push(question)
      return question.promise
    },
  }
  const empty = { server: 'one', xmin: 1, changed: [], found: [] }
  return {
    accounts: createPresenceAccounts(db as unknown as Pool),
    questions,
    answer: (read: Partial<PresenceAccountsRead>) => open.shift()?.resolve({ rows: [{ ...empty, ...read }] }),
    fail: () => open.shift()?.reject(new Error('the database is down')),
  }
}

const account = (id: number, email = `${id}@example.com`): PresenceAccount => ({
  ...{ id, email },
  ...{ joinedAt: 0, isPresent: true, showsPresence: true },
})
