import { maxFileUploadBytes } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { readAnnouncement, readCount } from './tus-protocol.ts'

describe('a file that a client announces', () => {
  test('has a length, a name and a type', () => {
    const headers = {
      'upload-length': '12',
      'upload-metadata': 'filename w4RwZmVsLnBuZw==,filetype aW1hZ2UvUE5H, is_private',
    }
    expect(readAnnouncement(headers)).toEqual({ length: 12, name: 'Äpfel.png', contentType: 'image/png' })
    expect(readAnnouncement({ 'upload-length': '1' })).toEqual({ length: 1, name: '', contentType: '' })
  })

  test.each([undefined, '', '0', '-1', '1.5', '1e3', 'x', String(maxFileUploadBytes + 1)])(
    'is refused with the length %j',
    (length) => {
      expect(() => readAnnouncement({ 'upload-length': length })).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST' }),
      )
    },
  )
})

test('an offset is a number of bytes', () => {
  expect(readCount({ 'upload-offset': '0' }, 'upload-offset')).toBe(0)
  expect(() => readCount({}, 'upload-offset')).toThrow()
})
