import { describe, expect, test } from '@jest/globals'
import { json, text, textOrJson } from '@tms/contracts'
import { z } from 'zod'
import { decodeFields, decodeValue } from './decode.ts'

const list = json(z.array(z.unknown()))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('decodeValue', () => {
  test('takes lists as deep as anybody writes them', () => {
    expect(decodeValue('to', nested(100), list)).toHaveLength(1)
  })

  test.each([101, 5_000, 500_000])('refuses lists nested %d deep', (depth) => {
    expect(() => decodeValue('to', nested(depth), list)).toThrow('nested too deeply')
    expect(() => decodeValue('to', nested(depth), textOrJson(z.unknown()))).toThrow('nested too deeply')
  })

  test('counts no brackets inside of strings', () => {
    const brackets = `["${'['.repeat(200)}\\"${'{'.repeat(200)}"]`

    expect(decodeValue('to', brackets, list)).toHaveLength(1)
  })

  test('takes many values side by side', () => {
    expect(decodeValue('to', `[${'[],'.repeat(10_000)}[]]`, list)).toHaveLength(10_001)
  })

  test('refuses NUL, raw and escaped', () => {
    expect(() => decodeValue('name', 'a\0', text(z.string()))).toThrow('NUL')
    expect(() => decodeValue('to', '["\\u0000"]', list)).toThrow('NUL')
  })
})

describe('decodeFields', () => {
  const parameters = { topic: text(z.string(), { aliases: ['subject'] }) }

  test('knows a parameter by its other names', () => {
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

  test('names what it does not know, in order, and never the client', () => {
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
