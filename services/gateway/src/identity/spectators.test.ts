import { expect, test } from 'vitest'
import { createSpectators } from './spectators.ts'

const signToken = ({ realmId }: { realmId: number }) => `token of ${realmId}`

test('admits spectators only as long as the organization allows them', async () => {
  let realmId: number | null = 7
  const spectators = createSpectators({ findRealm: async () => realmId, signToken })
  expect(await spectators.admit('chat.example', 'r')).toBe('token of 7')

  realmId = null
  await expect(spectators.admit('chat.example', 'r')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('signs one token for all spectators of an organization', async () => {
  let signed = 0
  const realms: Record<string, number> = { a: 1, b: 2 }
  const spectators = createSpectators({
    findRealm: async (host) => realms[host] ?? null,
    signToken: (spectator) => `${signToken(spectator)}, ${++signed}`,
  })

  const tokens = [await spectators.admit('a', 'r'), await spectators.admit('b', 'r')]
  expect(tokens).toEqual(['token of 1, 1', 'token of 2, 2'])
  expect(await spectators.admit('a', 'r')).toBe(tokens[0])
})
