import { AppError, allEndpoints } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { decodeValue } from './decode.ts'

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
