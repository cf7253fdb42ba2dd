import { describe, expect, test } from 'vitest'
import { subdomainOf } from './subdomain.ts'

describe('subdomainOf', () => {
  test.each([
    ['chat.example.com', '', 'the external host itself'],
    ['CHAT.example.com:8443', '', 'whatever its port and case'],
    ['sales.chat.example.com', 'sales', 'a name below it'],
    ['Sales.Chat.Example.com:443', 'sales', 'lower-cased and without the port'],
    ['127.0.0.1:9991', '', 'an address'],
    ['notchat.example.com', '', 'a name that only ends alike'],
    ['', '', 'no host at all'],
  ])('%s → "%s": %s', (host, expected) => {
    expect(subdomainOf(host, 'chat.example.com:9991')).toBe(expected)
  })
})
