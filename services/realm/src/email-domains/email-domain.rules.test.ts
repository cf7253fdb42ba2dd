import { describe, expect, test } from 'vitest'
import { checkDomainIsNew, checkEmailDomain, getEmailDomain } from './email-domain.rules.ts'

describe('a domain of addresses', () => {
  test.each([
    ['example.com', 'example.com'],
    [' Sub.Example.COM ', 'sub.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['1.example', '1.example'],
  ])('may be %j', (requested, kept) => {
    expect(checkEmailDomain(requested)).toBe(kept)
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
  ])('is not %j', (requested) => {
    expect(() => checkEmailDomain(requested)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test('is listed once, and found in any case', () => {
    const existing = [{ domain: 'example.com' }]

    expect(() => checkDomainIsNew('example.com', existing)).toThrow('already')
    expect(() => checkDomainIsNew('sub.example.com', existing)).not.toThrow()
    expect(getEmailDomain(existing, 'Example.com')).toBe(existing[0])
    expect(() => getEmailDomain(existing, 'example.org')).toThrow('no such domain')
  })

  test('is limited to 500 in an organization', () => {
    const existing = Array.from({ length: 500 }, (_, i) => ({ domain: `${i}.example` }))

    expect(() => checkDomainIsNew('500.example', existing)).toThrow('at most 500')
    expect(() => checkDomainIsNew('500.example', existing.slice(1))).not.toThrow()
  })
})
