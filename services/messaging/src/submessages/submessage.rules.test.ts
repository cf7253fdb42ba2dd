import { describe, expect, test } from 'vitest'
import { checkSubmessage, checkSubmessageUsage } from './submessage.rules.ts'

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
  ])('may contain any JSON', (content) => {
    expect(check(content)).not.toThrow()
  })

  test.each(['', '{', 'hello', "{'a': 1}"])('may not contain %j', (content) => {
    expect(check(content)).toThrow('Invalid json')
  })

  test('has a maximum size', () => {
    expect(check(JSON.stringify('x'.repeat(9_999)))).toThrow('content is too long')
    expect(check('{}', 'x'.repeat(101))).toThrow('msg_type is too long')
  })
})

test('submessages of one message are limited in number and size', () => {
  const most = { count: 10_000, bytes: 2 ** 20 }
  expect(() => checkSubmessageUsage(most)).not.toThrow()
  expect(() => checkSubmessageUsage({ ...most, count: 10_001 })).toThrow('at most 10000 submessages')
  expect(() => checkSubmessageUsage({ ...most, bytes: 2 ** 20 + 1 })).toThrow('at most 1 MiB')
})
