import { expect, test } from 'vitest'
import { checkTokenScope } from './token-scope.rules.ts'

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
