import { describe, expect, test } from 'vitest'
import { parseInviteeEmails } from './invitee-emails.rules.ts'

describe('parseInviteeEmails', () => {
  test.each([
    ['a@example.com', ['a@example.com']],
    ['a@example.com, b@example.com\nc@example.com', ['a@example.com', 'b@example.com', 'c@example.com']],
    ['a@example.com\r\nb@example.com', ['a@example.com', 'b@example.com']],
    ['Ann Other <a@example.com>, <b@example.com>', ['a@example.com', 'b@example.com']],
    ['a@example.com,A@Example.com', ['a@example.com']],
    [' , \n,,', []],
    ['no address', ['no address']],
    ['Ann <', ['Ann <']],
    ['<>', []],
  ])('%j', (text, addresses) => {
    expect(parseInviteeEmails(text)).toEqual(addresses)
  })

  test('parses a megabyte of brackets quickly', () => {
    const before = process.cpuUsage()

    parseInviteeEmails('<'.repeat(1_000_000))

    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})
