import { describe, expect, test } from 'vitest'
import { contentTypeOf, isShown } from './content-type.rules.ts'

describe('contentTypeOf', () => {
  test.each([
    ['image/png', 'a.txt', 'image/png'],
    ['application/octet-stream', 'a.pdf', 'application/pdf'],
    ['', 'a.MP4', 'video/mp4'],
    ['', 'a', 'application/octet-stream'],
    ['text/html\r\nx: y', 'a', 'application/octet-stream'],
    [`text/${'x'.repeat(100)}`, 'a.png', 'image/png'],
  ])('%j of %j: %s', (claimed, name, expected) => {
    expect(contentTypeOf(claimed, name)).toBe(expected)
  })
})

describe('isShown', () => {
  test.each([
    ['image/png', true],
    ['application/pdf', true],
    ['video/mp4', true],
    ['image/svg+xml', false],
    ['text/html', false],
    ['application/xhtml+xml', false],
    ['text/plain', false],
    ['application/octet-stream', false],
  ])('%s: %s', (contentType, expected) => {
    expect(isShown(contentType)).toBe(expected)
  })
})
