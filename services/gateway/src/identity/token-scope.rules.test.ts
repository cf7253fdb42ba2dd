import { expect, test } from 'vitest'
import { checkTokenChannels, checkTokenScope } from './token-scope.rules.ts'

test('a token needs the scope of the endpoint, and no other replaces it', () => {
  expect(() => checkTokenScope({ tokenAccess: 'read' }, ['send', 'read'])).not.toThrow()
  expect(() => checkTokenScope({ tokenAccess: 'read' }, ['send', 'administer'])).toThrow(
    expect.objectContaining({ code: 'TOKEN_SCOPE_REQUIRED', details: { scope: 'read' } }),
  )
})

test.each(['none', null] as const)('no token is accepted where the endpoint declares %s', (tokenAccess) => {
  expect(() => checkTokenScope({ tokenAccess }, ['read', 'send', 'administer'])).toThrow(
    expect.objectContaining({ code: 'API_KEY_REQUIRED' }),
  )
})

test('a token that is limited to channels is accepted only where an endpoint declares how it finds the channel', () => {
  const caller = { userId: 7, realmId: 2, role: 400, isBot: false, tokenId: 12 }

  expect(() => checkTokenChannels({ channelParameters: [] }, caller)).not.toThrow()
  expect(() =>
    checkTokenChannels({ channelParameters: ['to'] }, { ...caller, channelIds: [3] }),
  ).not.toThrow()
  for (const channelIds of [[3], []])
    expect(() => checkTokenChannels({ channelParameters: [] }, { ...caller, channelIds })).toThrow(
      expect.objectContaining({ code: 'TOKEN_LIMITED_TO_CHANNELS' }),
    )
})
