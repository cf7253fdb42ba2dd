import { describe, expect, test } from 'vitest'
import { checkPlayground, checkPlaygroundIsNew } from './playground.rules.ts'

const valid = {
  name: 'Rust playground',
  highlighter_language: 'Rust',
  url_template: 'https://play.example.com/?code={code}',
}

describe('a code playground', () => {
  test('is stored without surrounding white space', () => {
    const sent = {
      name: ' Rust playground ',
      highlighter_language: ' Rust ',
      url_template: ' https://e.com/{code} ',
    }

    expect(checkPlayground(sent)).toEqual({
      name: 'Rust playground',
      language: 'Rust',
      urlTemplate: 'https://e.com/{code}',
    })
  })

  test.each([
    ['highlighter_language', 'C++'],
    ['highlighter_language', 'Objective-C / C_#1, v.2'],
    ['highlighter_language', 'nobody knows this one'],
    ['url_template', 'https://e.com/{?code}'],
    ['url_template', 'https://e.com/{code}#{+code}'],
  ])('may have the %s %j', (field, value) => {
    expect(() => checkPlayground({ ...valid, [field]: value })).not.toThrow()
  })

  test.each([
    ['name', ' '],
    ['name', 'x'.repeat(101)],
    ['name', 'a\0b'],
    ['highlighter_language', ''],
    ['highlighter_language', 'x'.repeat(41)],
    ['highlighter_language', 'C$'],
    ['highlighter_language', 'Café'],
    ['url_template', ''],
    ['url_template', 'https://e.com/'],
    ['url_template', 'https://e.com/{Code}'],
    ['url_template', 'https://e.com/{code}{other}'],
    ['url_template', 'https://e.com/{code'],
    ['url_template', `https://e.com/{code}${'x'.repeat(1_000)}`],
  ])('may not have the %s %j, and the error names the field', (field, value) => {
    expect(() => checkPlayground({ ...valid, [field]: value })).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        details: { errors: { [field]: [expect.stringMatching(/./)] } },
      }),
    )
  })

  test('has a unique name within its language', () => {
    const existing = [{ name: 'Play', language: 'Rust' }]

    expect(() => checkPlaygroundIsNew({ name: 'Play', language: 'Rust' }, existing)).toThrow('already')
    expect(() => checkPlaygroundIsNew({ name: 'Play', language: 'Go' }, existing)).not.toThrow()
    expect(() => checkPlaygroundIsNew({ name: 'Play 2', language: 'Rust' }, existing)).not.toThrow()
  })

  test('is limited to 500 in an organization', () => {
    const existing = Array.from({ length: 500 }, (_, i) => ({ name: `${i}`, language: 'Rust' }))

    expect(() => checkPlaygroundIsNew({ name: 'x', language: 'Rust' }, existing)).toThrow('at most 500')
  })
})
