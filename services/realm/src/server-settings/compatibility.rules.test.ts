import { expect, test } from 'vitest'
import { isIncompatible, isTooOld } from './compatibility.rules.ts'

test.each<[string, boolean]>([
  ['ZulipInvalid/1.0', true],
  ['ZulipInvalid', true],
  ['ZulipMobile/16.2.95 (Android 9)', true],
  ['ZulipMobile/16.1.200 (Android 9)', true],
  ['ZulipMobile/9.9.99 (Android)', true],
  ['ZulipMobile/16.2 (Android 9)', true],
  ['ZulipMobile/1.0 (com.example; Android 9)', true],
  ['ZulipMobile/16.2.96 (Android 9)', false],
  ['ZulipMobile/16.2.96.1 (Android 9)', false],
  ['ZulipMobile/27.234 (Android 14)', false],
  ['ZulipMobile/16.10.1 (Android 9)', false],
  ['ZulipMobile/26.0.1 (Android 14)', false],
  ['ZulipMobile/16.2.95 (iOS 12.0)', false],
  ['ZulipMobile', false],
  ['OtherMobile/1.0.0 (Android 9)', false],
  ['ZulipElectron/5.0', false],
  ['', false],
])('a client with the user agent %j is too old: %j', (userAgent, expected) => {
  expect(isTooOld(userAgent)).toBe(expected)
})

test('server settings report an incompatible client by its name', () => {
  expect(isIncompatible('ZulipInvalid/1.0')).toBe(true)
  expect(isIncompatible('ZulipMobile/1.0.0 (Android 9)')).toBe(false)
  expect(isIncompatible(undefined)).toBe(false)
})
