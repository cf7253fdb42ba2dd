import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue, wordIssue } from './describe-issue.ts'

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
