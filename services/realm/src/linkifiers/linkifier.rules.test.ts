import { describe, expect, test } from 'vitest'
import { checkLinkifier, checkUnique } from './linkifier.rules.ts'

describe('checkLinkifier', () => {
  test('trims a linkifier', () => {
    const sent = { pattern: ' #(?P<id>[0-9]+) ', url_template: ' https://e.com/{id} ' }

    expect(checkLinkifier(sent)).toEqual({ pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://e.com/{id}' })
  })

  test('reports errors by field, and the first one as the message', () => {
    const message = 'This must not be empty.'

    expect(() => checkLinkifier({ pattern: ' ', url_template: 'https://e.com' })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message, details: { errors: { pattern: [message] } } }),
    )
  })
})

test('checkUnique refuses a pattern that another linkifier has', () => {
  expect(() => checkUnique([{ pattern: 'a' }], { pattern: 'b' })).not.toThrow()
  expect(() => checkUnique([{ pattern: 'a' }], { pattern: 'a' })).toThrow(
    expect.objectContaining({ details: { errors: { __all__: [expect.any(String)] } } }),
  )
})
