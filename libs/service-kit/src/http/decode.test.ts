import { json, text, textOrJson } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { decodeFields, decodeValue } from './decode.ts'

const list = json(z.array(z.unknown()))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('decodeValue', () => {
  test('accepts nested lists of a usual depth', () => {
    expect(decodeValue('to', nested(100), list)).toHaveLength(1)
  })

  test.each([101, 5_000, 500_000])('refuses lists nested %d deep', (depth) => {
    expect(() => decodeValue('to', nested(depth), list)).toThrow('nested too deeply')
    expect(() => decodeValue('to', nested(depth), textOrJson(z.unknown()))).toThrow('nested too deeply')
  })

  test.each([
    ['message', z.array(z.string()), 'must be a list, such as ["message"]'],
    ['message, reaction', z.array(z.string()), 'must be a list, such as ["message","reaction"]'],
    ['7, 8', z.array(z.int()), 'must be a list, such as [7,8]'],
    ['{to:7}', z.object({ to: z.int() }), 'must be an object'],
    ['yes', z.boolean(), 'must be true or false'],
    ['ten', z.int(), 'must be an integer'],
    ['ten', z.string(), 'must be text in quotes, such as "ten"'],
    ['["message"', z.array(z.string()), 'must be a list'],
    ['', z.array(z.string()), 'must be a list'],
    ['x'.repeat(200), z.array(z.string()), 'must be a list'],
  ])('says what it expects instead of %s', (raw, schema, expected) => {
    expect(() => decodeValue('a', raw, json<unknown>(schema))).toThrow(
      `Argument "a" is not valid JSON; it ${expected}.`,
    )
  })

  test('ignores brackets inside strings', () => {
    const brackets = `["${'['.repeat(200)}\\"${'{'.repeat(200)}"]`

    expect(decodeValue('to', brackets, list)).toHaveLength(1)
  })

  test('accepts many values side by side', () => {
    expect(decodeValue('to', `[${'[],'.repeat(10_000)}[]]`, list)).toHaveLength(10_001)
  })

  test('refuses NUL, raw and escaped', () => {
    expect(() => decodeValue('name', 'a\0', text(z.string()))).toThrow('NUL')
    expect(() => decodeValue('to', '["\\u0000"]', list)).toThrow('NUL')
    expect(decodeValue('to', '["\\\\u0000"]', list)).toEqual(['\\u0000'])
  })

  test.each(['["\\ud800"]', '["a\\uDFFFb"]', '[[{"a":"\\udc00\\ud800"}]]', '[{"\\ud800":1}]'])(
    'refuses half of a surrogate pair, as in %s',
    (raw) => {
      for (const parameter of [list, textOrJson(z.unknown())])
        expect(() => decodeValue('to', raw, parameter)).toThrow(
          'to must not contain half of a surrogate pair',
        )
    },
  )

  test('accepts surrogate pairs', () => {
    expect(decodeValue('to', '["\\ud83d\\ude00"]', list)).toEqual(['😀'])
  })

  test('refuses fields with the names of object internals, and accepts others', () => {
    const parameter = json(z.record(z.string(), z.unknown()))
    for (const key of ['__proto__', '\\u005f_proto__'])
      expect(() => decodeValue('data', `{"a":{"${key}":1}}`, parameter)).toThrow('must not have "__proto__"')
    expect(decodeValue('data', '{"constructor":1,"toString":2}', parameter)).toEqual({
      constructor: 1,
      toString: 2,
    })
  })

  test('limits texts whose schema has no length', () => {
    const name = text(z.string())
    expect(decodeValue('name', 'x'.repeat(20_000), name)).toHaveLength(20_000)
    expect(() => decodeValue('name', 'x'.repeat(20_001), name)).toThrow('at most 20000 characters')
    expect(decodeValue('name', 'x'.repeat(20_001), text(z.string().max(30_000)))).toHaveLength(20_001)
  })
})

describe('decodeFields', () => {
  const parameters = { topic: text(z.string(), { aliases: ['subject'] }) }

  test('accepts the other names of a parameter', () => {
    expect(decodeFields(new Map([['subject', 'a']]), parameters)).toEqual({
      input: { topic: 'a' },
      ignored: [],
    })
  })

  test('refuses two names of one parameter', () => {
    const both = new Map([
      ['topic', 'a'],
      ['subject', 'b'],
    ])

    expect(() => decodeFields(both, parameters)).toThrow(
      expect.objectContaining({ code: 'REQUEST_CONFUSING_VAR' }),
    )
  })

  test('lists unknown parameters in order, without the client', () => {
    const fields = new Map([
      ['zoo', '1'],
      ['topic', 'a'],
      ['client', 'c'],
      ['ant', '2'],
    ])

    expect(decodeFields(fields, parameters).ignored).toEqual(['ant', 'zoo'])
  })

  test('says which parameter is missing', () => {
    expect(() => decodeFields(new Map(), parameters)).toThrow(
      expect.objectContaining({ code: 'REQUEST_VARIABLE_MISSING', details: { var_name: 'topic' } }),
    )
  })
})
