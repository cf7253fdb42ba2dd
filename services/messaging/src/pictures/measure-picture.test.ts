import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPictureMeasure } from './measure-picture.ts'

/** Dimensions of a file, which must be the same at once and byte by byte. */
function measure(file: Buffer): string | null {
  const [whole, pieces] = [createPictureMeasure(), createPictureMeasure()]
  whole.read(file)
  for (const byte of file) pieces.read(Buffer.from([byte]))
  expect(pieces.dimensions()).toEqual(whole.dimensions())
  const found = whole.dimensions()
  return found && `${found.width}x${found.height}`
}

const bytes = (...parts: (number[] | string | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const be16 = (value: number) => [value >> 8, value & 0xff]
const be32 = (value: number) => [...be16(value >>> 16), ...be16(value & 0xffff)]
const le16 = (value: number) => be16(value).reverse()
const le24 = (value: number) => [...le16(value & 0xffff), value >> 16]
const le32 = (value: number) => be32(value).reverse()

/** EXIF data with this orientation, after another entry. */
const exif = (orientation: number, isLittle = true): Buffer => {
  const [int16, int32] = isLittle ? [le16, le32] : [be16, be32]
  return bytes(
    ...[isLittle ? 'II' : 'MM', int16(42), int32(8), int16(2)],
    ...[int16(0x0100), int16(4), int32(1), int32(100)],
    ...[int16(0x0112), int16(3), int32(1), int16(orientation), int16(0), int32(0)],
  )
}

const segment = (marker: number, content: Buffer) => bytes([0xff, marker], be16(content.length + 2), content)
const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, bytes([8], be16(height), be16(width), [3, 1, 0x11, 0]))
const jpeg = (...segments: Buffer[]) => bytes([0xff, 0xd8], ...segments, [0xff, 0xda, 0, 2, 1, 2, 3])
const exifSegment = (orientation: number, isLittle = true) =>
  segment(0xe1, bytes('Exif\0\0', exif(orientation, isLittle)))
const XMP = segment(0xe1, bytes('http://ns.adobe.com/xap/1.0/\0', 'x'.repeat(5_000)))
const LARGE = segment(0xe2, Buffer.alloc(65_000))

const chunk = (type: string, content: Buffer) => bytes(be32(content.length), type, content, [1, 2, 3, 4])
const png = (width: number, height: number, ...chunks: Buffer[]) =>
  bytes(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', bytes(be32(width), be32(height), [8, 2, 0, 0, 0])),
    ...chunks,
    chunk('IDAT', Buffer.alloc(9)),
  )

const riffChunk = (type: string, content: Buffer) =>
  bytes(type, le32(content.length), content, content.length % 2 ? [0] : [])
const webp = (...chunks: Buffer[]) => bytes('RIFF', le32(1_000), 'WEBP', ...chunks)
const extended = (width: number, height: number, flags = 0) =>
  riffChunk('VP8X', bytes([flags, 0, 0, 0], le24(width - 1), le24(height - 1)))

describe('the dimensions of a picture', () => {
  test.each<[string, Buffer]>([
    ['JPEG', jpeg(frame(640, 480))],
    ['progressive JPEG', jpeg(frame(640, 480, 0xc2))],
    ['JPEG with tables before its frame', jpeg(segment(0xc4, Buffer.alloc(30)), frame(640, 480))],
    [
      'JPEG with much before its frame',
      jpeg(XMP, ...Array.from({ length: 3 }, () => LARGE), frame(640, 480)),
    ],
    ['JPEG with filled-up markers', jpeg(bytes([0xff, 0xff]), frame(640, 480))],
    ['PNG', png(640, 480)],
    ['PNG with chunks before its pixels', png(640, 480, chunk('iCCP', Buffer.alloc(3_000)))],
    ['GIF', bytes('GIF89a', le16(640), le16(480), [0, 0, 0])],
    ['old GIF', bytes('GIF87a', le16(640), le16(480), [0, 0, 0])],
    ['lossy WebP', webp(riffChunk('VP8 ', bytes([0, 0, 0, 0x9d, 0x01, 0x2a], le16(640), le16(480), [0])))],
    ['lossless WebP', webp(riffChunk('VP8L', bytes([0x2f], le32(((480 - 1) << 14) | (640 - 1)))))],
    ['extended WebP', webp(extended(640, 480), riffChunk('VP8 ', Buffer.alloc(5)))],
    ['bitmap', bytes('BM', Buffer.alloc(12), le32(40), le32(640), le32(480), [1, 0])],
    ['bitmap from top to bottom', bytes('BM', Buffer.alloc(12), le32(40), le32(640), le32(-480 >>> 0))],
    ['old bitmap', bytes('BM', Buffer.alloc(12), le32(12), le16(640), le16(480), [1, 0, 0, 0])],
  ])('are read from a %s', (_, file) => {
    expect(measure(file)).toBe('640x480')
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('are those of the displayed picture: orientation %i', (orientation) => {
    const expected = orientation < 5 ? '640x480' : '480x640'
    const inWebp = riffChunk('EXIF', exif(orientation))

    expect(measure(jpeg(exifSegment(orientation), frame(640, 480)))).toBe(expected)
    expect(measure(jpeg(XMP, exifSegment(orientation, false), XMP, frame(640, 480)))).toBe(expected)
    expect(measure(png(640, 480, chunk('eXIf', exif(orientation))))).toBe(expected)
    expect(measure(webp(extended(640, 480, 8), riffChunk('VP8 ', Buffer.alloc(99)), inWebp))).toBe(expected)
  })

  test('ignore an invalid orientation', () => {
    for (const orientation of [0, 9, 65_535])
      expect(measure(jpeg(exifSegment(orientation), frame(640, 480)))).toBe('640x480')
    const cut = exifSegment(6).subarray(0, 30)
    expect(measure(jpeg(segment(0xe1, cut.subarray(4)), frame(640, 480)))).toBe('640x480')
    expect(measure(webp(extended(640, 480, 8), riffChunk('VP8 ', Buffer.alloc(99))))).toBe('640x480')
  })

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a text', bytes('GIFts for everyone')],
    ['an SVG', bytes('<svg width="640" height="480"/>')],
    ['a video', bytes(be32(24), 'ftypmp42', Buffer.alloc(40))],
    ['a sound in the same container as WebP', bytes('RIFF', le32(100), 'WAVEfmt ', Buffer.alloc(30))],
    ['a JPEG that is cut before its frame', jpeg(frame(640, 480)).subarray(0, 8)],
    ['a JPEG without a frame', jpeg(XMP)],
    ['a JPEG whose segment has no length', jpeg(bytes([0xff, 0xe0, 0, 0]), frame(640, 480))],
    ['a picture of no height', png(640, 0)],
    ['a picture of no width', jpeg(frame(0, 480))],
    ['a picture that claims to be larger than any', png(0x7fffffff, 480)],
    ['a bitmap of a negative width', bytes('BM', Buffer.alloc(12), le32(40), le32(-1 >>> 0), le32(480))],
  ])('are unknown for %s', (_, file) => {
    expect(measure(file)).toBeNull()
  })

  test('are given up on for a file that is all headers', () => {
    const afterTexts = (count: number) =>
      png(
        640,
        480,
        ...Array.from({ length: count }, () => chunk('tEXt', Buffer.alloc(0))),
        chunk('eXIf', exif(6)),
      )

    expect(measure(afterTexts(900))).toBe('480x640')
    expect(measure(afterTexts(3_000))).toBe('640x480')
  })

  test('never fail for any bytes', () => {
    const starts = [
      '',
      '\xff\xd8',
      '\xff\xd8\xff\xe1',
      '\x89PNG\r\n\x1a\n',
      'GIF89a',
      'RIFF0000WEBPVP8X',
      'BM',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        expect(() => measure(bytes(start, [...rest]))).not.toThrow()
      }),
    )
  })
})
