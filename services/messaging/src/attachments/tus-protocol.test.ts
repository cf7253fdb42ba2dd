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
    expect(readAnnouncement({ 'upload-length': '0' })).toEqual({ length: 0, name: '', contentType: '' })
  })

  test.each([undefined, '', '-1', '1.5', '1e3', 'x'])('is refused with the length %j', (length) => {
    expect(() => readAnnouncement({ 'upload-length': length })).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    )
  })

  test('is refused if it is larger than a file may be', () => {
    const read = (length: number) => () => readAnnouncement({ 'upload-length': String(length) })
    expect(read(maxFileUploadBytes)).not.toThrow()
    expect(read(maxFileUploadBytes + 1)).toThrow(expect.objectContaining({ code: 'REQUEST_TOO_LARGE' }))
  })
})

test('an offset is a number of bytes', () => {
  expect(readCount({ 'upload-offset': '0' }, 'upload-offset')).toBe(0)
  expect(() => readCount({}, 'upload-offset')).toThrow()
})
