import { describe, expect, test } from 'vitest'
import { contentTypeOf, isShown, pictureTypeOf } from './content-type.rules.ts'

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

describe('pictureTypeOf', () => {
  test.each([
    ['image/webp', '2/a/x/a.png', 'image/webp'],
    ['text/plain', '2/a/x/a.png', 'image/png'],
    ['text/plain', '2/a/x/a', 'application/octet-stream'],
  ])('%j of %j: %s', (contentType, pathId, expected) => {
    expect(pictureTypeOf(contentType, pathId)).toBe(expected)
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
