import { AppError, allEndpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue, wordIssue } from './describe-issue.ts'
import { decodeValue } from './http/decode.ts'

const describeInvalid = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value, { error: wordIssue })
  return error && describeIssue('x', error)
}

describe('descriptions of an invalid value', () => {
  const idOrIds = z.union([z.int(), z.array(z.int()).min(1)])
  const pairs = z.array(z.object({ id: z.int(), value: z.union([z.boolean(), z.string()]) }))

  test.each<[z.ZodType, unknown, string]>([
    [z.int(), 'a', 'x must be an integer'],
    [z.int(), 1.5, 'x must be an integer'],
    [z.int().max(7), 8, 'x must be at most 7'],
    [z.int().min(-1), -2, 'x must be at least -1'],
    [z.int().positive(), 0, 'x must be more than 0'],
    [z.boolean(), 'yes', 'x must be true or false'],
    [z.string().max(3), 'long', 'x must have at most 3 characters'],
    [z.string().min(1), '', 'x must not be empty'],
    [z.array(z.int()).max(1), [1, 2], 'x must have at most 1 entry'],
    [z.array(z.int()), [1, null], 'x[1] must be an integer'],
    [z.array(z.string()).length(2), ['a'], 'x must have exactly 2 entries'],
    [z.enum(['add', 'remove', '']), 'set', 'x must be one of add, remove, ""'],
    [z.literal(1), 2, 'x must be 1'],
    [z.strictObject({ a: z.int() }), { a: 1, b: 2 }, 'x must not have "b"'],
    [pairs, [{ value: 1 }], 'x[0]["id"] is missing'],
    [pairs, [{ id: 1, value: 1 }], 'x[0]["value"] must be true or false or text'],
    [idOrIds, 'a', 'x must be an integer or a list'],
    [idOrIds, [], 'x must not be empty'],
    [idOrIds, ['a'], 'x at [0] must be an integer'],
    [
      z.union([z.array(z.int()), z.array(z.string())]),
      ['a', 1],
      'x at [0] must be an integer or at [1] must be text',
    ],
  ])('%#: %j', (schema, value, sentence) => {
    expect(describeInvalid(schema, value)).toBe(sentence)
  })

  test("are the schema's own message if it has one", () => {
    expect(describeInvalid(z.union([z.int(), z.boolean()], { error: 'must be a channel' }), 'a')).toBe(
      'x must be a channel',
    )
  })
})

describe('no parameter of any endpoint is refused with a message of the validator', () => {
  const many = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => n))
  const nasty = [
    ...['', 'x', '"x"', '""', 'true', 'null', 'x'.repeat(20_000)],
    ...['0', '-1', '1.5', '1e400', '2147483648', '9007199254740993', '99999999999999999999'],
    ...[
      '[]',
      '[null]',
      '[1]',
      '[-1]',
      '[1.5]',
      '["a"]',
      '["a",1]',
      '[true]',
      '[[]]',
      '[["a"]]',
      '[["a",1]]',
      many,
    ],
    ...['{}', '[{}]', '{"a":1}', '[{"name":1}]', '[{"operator":1}]', '[{"stream_id":1,"property":"x"}]'],
    ...[
      '{"direct_members":[]}',
      '{"direct_members":1}',
      '{"type":"stream","to":[1],"topic":"a","content":5}',
    ],
  ]

  const messageOf = (refuse: () => unknown): string => {
    try {
      refuse()
      return ''
    } catch (err) {
      if (err instanceof AppError) return err.message
      throw err
    }
  }

  test.each(allEndpoints.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (_, endpoint) => {
    const parameters = { ...endpoint.pathParameters, ...endpoint.parameters }
    for (const [name, parameter] of Object.entries(parameters)) {
      const messages = nasty.map((raw) => messageOf(() => decodeValue(name, raw, parameter)))

      for (const message of messages.filter((one) => one !== '')) {
        expect(message).toContain(name)
        expect(message).not.toMatch(
          /Too big|Too small|expected|received|Invalid|Unrecognized|undefined|NaN|: /,
        )
      }
    }
  })
})
