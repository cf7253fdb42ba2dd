import { describe, expect, test } from 'vitest'
import { createLocale, localeOf } from './locale.ts'

const moment = new Date('2026-03-01T22:05:00Z')

describe('a text', () => {
  test.each([
    ['de', 'de', 'Acme öffnen'],
    ['pt-br', 'pt', 'Abrir Acme'],
    ['en-gb', 'en', 'Open Acme'],
    ['sv', 'en', 'Open Acme'],
  ])('of the language %s is in %s', (setting, language, text) => {
    const locale = createLocale(setting)
    expect([locale.language, locale.text('open', { realm: 'Acme' })]).toEqual([language, text])
  })

  test.each([
    ['en', 1, '1 earlier message not shown here.'],
    ['en', 2, '2 earlier messages not shown here.'],
    ['fr', 0, '0 message précédent non affiché ici.'],
    ['de', 1_200, '1.200 frühere Nachrichten werden hier nicht gezeigt.'],
    ['ja', 1, 'これより前のメッセージ 1 件は表示されていません。'],
  ])('has the form of its language and number: %s, %i', (language, count, text) => {
    expect(createLocale(language).text('missed.omitted', { count })).toBe(text)
  })

  test('keeps braces in names', () => {
    expect(createLocale('en').text('login.subject', { realm: '{address} $1' })).toBe(
      'New sign-in to {address} $1',
    )
  })
})

test.each([
  ['en', 'A, B, and C'],
  ['de', 'A, B und C'],
  ['ja', 'A、B、C'],
])('a list in %s is written as %s', (language, text) => {
  expect(createLocale(language).list(['A', 'B', 'C'])).toBe(text)
})

describe('a time', () => {
  const account = (settings: object, timezone = 'Asia/Kolkata') => ({
    ...{ settings, timezone, emailAddressVisibility: 1 },
  })

  test.each([
    [{}, '2 March 2026 at 03:35 am (Asia/Kolkata)'],
    [{ twenty_four_hour_time: true }, '2 March 2026 at 03:35 (Asia/Kolkata)'],
    [{ twenty_four_hour_time: true, default_language: 'de' }, '2. März 2026 um 03:35 (Asia/Kolkata)'],
    [{ twenty_four_hour_time: true, default_language: 'ja' }, '2026年3月2日 3:35 (Asia/Kolkata)'],
  ])('is in the zone, clock and language of the account: %o', (settings, text) => {
    expect(localeOf(account(settings)).time(moment)).toBe(text)
  })

  test('of an account without a zone is UTC', () => {
    expect(localeOf(account({ twenty_four_hour_time: true }, '')).time(moment, 'full')).toBe(
      'Sunday, 1 March 2026 at 22:05 (UTC)',
    )
  })
})
