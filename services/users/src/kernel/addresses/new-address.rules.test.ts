import { describe, expect, test } from 'vitest'
import { type AddressPolicy, findPolicyFault } from './new-address.rules.ts'

const open: AddressPolicy = {
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  email_domains: [],
}
const restricted: AddressPolicy = {
  ...open,
  emails_restricted_to_domains: true,
  email_domains: [
    { domain: 'example.com', allow_subdomains: false },
    { domain: 'example.org', allow_subdomains: true },
    { domain: 'mailinator.com', allow_subdomains: false },
  ],
}

describe('an address for a new account', () => {
  test.each([
    ['ilse@example.com', open, null],
    ['ilse+news@example.com', open, null],
    ['ilse@', open, 'not valid'],
    ['ilse@mailinator.com', open, 'disposable'],
    ['ilse@Any.Mailinator.COM', open, 'disposable'],
    ['ilse@mailinator.com', { ...open, disallow_disposable_email_addresses: false }, null],
    ['ilse@notmailinator.example', open, null],
    ['ilse@Example.COM', restricted, null],
    ['ilse@sub.example.com', restricted, 'not allowed'],
    ['ilse@sub.example.org', restricted, null],
    ['ilse@badexample.org', restricted, 'not allowed'],
    ['ilse+1@example.com', restricted, '+'],
    ['ilse@mailinator.com', restricted, null],
    ['ilse@example.com', { ...restricted, email_domains: [] }, 'not allowed'],
  ] as const)('%s', (address, policy, fault) => {
    const found = findPolicyFault(address, policy)

    if (fault === null) expect(found).toBeNull()
    else expect(found).toContain(fault)
  })
})
