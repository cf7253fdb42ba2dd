import { describe, expect, test } from 'vitest'
import { checkAttached, checkSubmessage } from './submessage.rules.ts'

const check =
  (content: string, msg_type = 'widget') =>
  () =>
    checkSubmessage({ msg_type, content })

describe('a submessage', () => {
  test.each([
    '{"type":"vote","key":"1,1","vote":1}',
    '[]',
    'null',
    '"🦉"',
    JSON.stringify('🦉'.repeat(9_998)),
  ])('may hold any JSON', (content) => {
    expect(check(content)).not.toThrow()
  })

  test.each(['', '{', 'hello', "{'a': 1}"])('may not hold %j', (content) => {
    expect(check(content)).toThrow('Invalid json')
  })

  test('has a largest size', () => {
    expect(check(JSON.stringify('x'.repeat(9_999)))).toThrow('content is too long')
    expect(check('{}', 'x'.repeat(101))).toThrow('msg_type is too long')
  })
})

test('what is attached to one message has an end', () => {
  const most = { count: 10_000, bytes: 2 ** 20 }
  expect(() => checkAttached(most)).not.toThrow()
  expect(() => checkAttached({ ...most, count: 10_001 })).toThrow('at most 10000 submessages')
  expect(() => checkAttached({ ...most, bytes: 2 ** 20 + 1 })).toThrow('at most 1 MiB')
})
