import { describe, expect, test } from 'vitest'
import {
  checkEcho,
  checkRecipients,
  isReadBySender,
  needsNoPermission,
  noSuchChannel,
} from './sending.rules.ts'

describe('isReadBySender', () => {
  test.each(['website', 'ZulipMobile', 'ZulipElectron', 'My Desktop App'])('%s: yes', (client) => {
    expect(isReadBySender(undefined, client)).toBe(true)
  })
  test.each(['curl', 'Python', 'website2', ''])('%j: no', (client) => {
    expect(isReadBySender(undefined, client)).toBe(false)
  })
})

describe('checkEcho', () => {
  test('refuses a queue without an ID to echo to it', () => {
    expect(() => checkEcho('q', '1')).not.toThrow()
    expect(() => checkEcho(undefined, undefined)).not.toThrow()
    expect(() => checkEcho(undefined, '1')).not.toThrow()
    expect(() => checkEcho('q', undefined)).toThrow('queue_id requires local_id')
  })
})

describe('checkRecipients and needsNoPermission', () => {
  const person = (user_id: number) => ({
    user_id,
    is_bot: false,
    is_active: true,
    email: `u${user_id}@x.org`,
  })
  const bot = (user_id: number) => ({ ...person(user_id), is_bot: true })

  test('refuses a recipient who is deactivated', () => {
    const deactivated = { ...person(2), is_active: false }
    expect(() => checkRecipients(person(1), [deactivated])).toThrow('u2@x.org')
  })

  test('accepts the maximum of recipients, not counting the sender', () => {
    const people = Array.from({ length: 252 }, (_, id) => person(id))
    expect(() => checkRecipients(person(0), people)).toThrow('limit: 250')
    expect(() => checkRecipients(person(0), people.slice(0, 251))).not.toThrow()
    // Two addresses may belong to one user.
    expect(() => checkRecipients(person(0), [...people.slice(0, 251), person(1)])).not.toThrow()
  })

  test('permission to write is not needed from or to a bot, or to oneself', () => {
    expect(needsNoPermission(person(1), [person(2)])).toBe(false)
    expect(needsNoPermission(person(1), [bot(2), bot(3)])).toBe(false)
    expect(needsNoPermission(person(1), [person(1), bot(2)])).toBe(true)
    expect(needsNoPermission(bot(1), [person(2), person(3)])).toBe(true)
    expect(needsNoPermission(person(1), [person(1)])).toBe(true)
  })
})

describe('noSuchChannel', () => {
  test('names the channel as the client did', () => {
    expect(noSuchChannel({ id: 7 }).details).toEqual({ stream_id: 7 })
    expect(noSuchChannel({ name: '<b>' }).details).toEqual({ stream: '&lt;b&gt;' })
  })
})
