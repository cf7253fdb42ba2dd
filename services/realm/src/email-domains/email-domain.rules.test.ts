import { describe, expect, test } from 'vitest'
import { checkDomainIsNew, checkEmailDomain, getEmailDomain } from './email-domain.rules.ts'

describe('a domain of addresses', () => {
  test.each([
    ['example.com', 'example.com'],
    [' Sub.Example.COM ', 'sub.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['1.example', '1.example'],
  ])('may be %j', (asked, kept) => {
    expect(checkEmailDomain(asked)).toBe(kept)
  })

  test.each([
    '',
    ' ',
    'example',
    '.example.com',
    'example.com.',
    'example..com',
    '-example.com',
    'example-.com',
    'exam ple.com',
    'a@example.com',
    '*.example.com',
    'bücher.example',
    'e\0.com',
    `${'x'.repeat(64)}.com`,
    `${'x.'.repeat(127)}com`,
  ])('is not %j', (asked) => {
    expect(() => checkEmailDomain(asked)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test('is listed once, and found in any case', () => {
    const present = [{ domain: 'example.com' }]

    expect(() => checkDomainIsNew('example.com', present)).toThrow('already')
    expect(() => checkDomainIsNew('sub.example.com', present)).not.toThrow()
    expect(getEmailDomain(present, 'Example.com')).toBe(present[0])
    expect(() => getEmailDomain(present, 'example.org')).toThrow('no such domain')
  })

  test('is one of 500 at most', () => {
    const present = Array.from({ length: 500 }, (_, i) => ({ domain: `${i}.example` }))

    expect(() => checkDomainIsNew('500.example', present)).toThrow('at most 500')
    expect(() => checkDomainIsNew('500.example', present.slice(1))).not.toThrow()
  })
})
