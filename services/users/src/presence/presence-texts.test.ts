import { describe, expect, test } from 'vitest'
import type { PresenceAccount } from '../kernel/presence/presence-accounts.queries.ts'
import { SeenUsers } from '../kernel/presence/seen-users.ts'
import { presencesText } from './presence-texts.ts'

const account = (id: number, changed: Partial<PresenceAccount> = {}): PresenceAccount => ({
  ...{ id, email: `user${id}@example.com`, joinedAt: 500, isPresent: true, showsPresence: true },
  ...changed,
})
const accountsOf = (...accounts: PresenceAccount[]) => new Map(accounts.map((one) => [one.id, one]))

function seenUsers(): SeenUsers {
  const seen = new SeenUsers(3_000, '')
  const lastSeen = { activeAt: 900, connectedAt: 1_000 }
  seen.apply(
    [1, 2, 3].map((userId) => ({ userId, updateId: userId * 1_000, ...lastSeen })),
    3_000,
  )
  return seen
}

const modern = { format: 'modern', after: 0, historySeconds: 60 } as const
const present = { active_timestamp: 900, idle_timestamp: 1_000 }

describe('presences', () => {
  test('are of active people who were seen since, with an account that exists', () => {
    const accounts = accountsOf(account(1), account(2), account(3, { isPresent: false }))
    expect(JSON.parse(presencesText(seenUsers(), accounts, { ...modern, after: 1_000 }, null))).toEqual({
      '2': present,
    })
  })

  test('are keyed by e-mail address for older clients, whatever characters it has', () => {
    const email = 'a"b\\c@example.com'
    const text = presencesText(
      seenUsers(),
      accountsOf(account(1, { email })),
      { ...modern, format: 'legacy' },
      null,
    )
    expect(Object.keys(JSON.parse(text) as object)).toEqual([email])
  })

  test('are of those that a guest sees', () => {
    const accounts = accountsOf(account(1), account(2), account(3))
    const text = presencesText(seenUsers(), accounts, modern, (userId) => userId === 3)
    expect(JSON.parse(text)).toEqual({ '3': present })
  })

  test('follow each change of a user and of an account, and the time', () => {
    const seen = seenUsers()
    const both = accountsOf(account(1), account(2))
    const idsIn = (accounts: typeof both, after = 0) =>
      Object.keys(JSON.parse(presencesText(seen, accounts, { ...modern, after }, null)) as object)

    expect(idsIn(both)).toEqual(['1', '2'])
    expect(idsIn(both)).toEqual(['1', '2'])
    expect(idsIn(both, 1_500)).toEqual(['2'])
    expect(idsIn(accountsOf(account(1)), 0)).toEqual(['1'])
    seen.apply([{ userId: 1, updateId: 4_000, activeAt: null, connectedAt: 4 }], 4_000)
    const text = presencesText(seen, both, modern, null)
    expect(JSON.parse(text)).toMatchObject({ '1': { active_timestamp: 4, idle_timestamp: 4 } })
  })
})
