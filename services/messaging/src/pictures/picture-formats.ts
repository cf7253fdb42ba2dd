import { exifOrientation } from './exif-orientation.ts'
import { type HeaderReader, type PictureHeader, skip, take } from './picture-header.ts'

/** EXIF data beyond what JPEG can hold is ignored. */
const MAX_EXIF_BYTES = 65_535

/**
 * Reads the header of a picture of any supported format. Ends once the dimensions are known, or if the file is no
 * picture.
 */
export function* readHeader(header: PictureHeader): HeaderReader {
  const mark = (yield* take(2)).toString('latin1')
  if (mark === '\xff\xd8') yield* readJpeg(header)
  if (mark === '\x89P') yield* readPng(header)
  if (mark === 'GI') yield* readGif(header)
  if (mark === 'RI') yield* readWebp(header)
  if (mark === 'BM') yield* readBmp(header)
}

/** Markers without a length: TEM, and RST0 to RST7. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** SOF0 to SOF15, without the three that mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const APP1 = 0xe1
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

function* readJpeg(header: PictureHeader): HeaderReader {
  for (;;) {
    if ((yield* take(1))[0] !== 0xff) return
    let marker = 0xff
    while (marker === 0xff) marker = (yield* take(1)).readUInt8()
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return
    if (isBare(marker)) continue
    const length = (yield* take(2)).readUInt16BE() - 2
    if (isFrame(marker)) {
      if (length < 5) return
      const frame = yield* take(5)
      header.size = { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) }
      return
    }
    if (length < 0) return
    if (marker !== APP1) {
      yield* skip(length)
      continue
    }
    // Other data, such as XMP, uses APP1 too.
    const data = yield* take(length)
    if (data.toString('latin1', 0, 4) === 'Exif') header.orientation = exifOrientation(data)
  }
}

function* readPng(header: PictureHeader): HeaderReader {
  if ((yield* take(6)).toString('latin1') !== 'NG\r\n\x1a\n') return
  const first = yield* take(8 + 13 + 4)
  if (first.toString('latin1', 4, 8) !== 'IHDR') return
  header.size = { width: first.readUInt32BE(8), height: first.readUInt32BE(12) }
  for (;;) {
    const chunk = yield* take(8)
    const [length, type] = [chunk.readUInt32BE(), chunk.toString('latin1', 4)]
    // Viewers don't read chunks behind the pixels before they show them.
    if (type === 'IDAT' || type === 'IEND') return
    if (type !== 'eXIf') {
      yield* skip(length + 4)
      continue
    }
    header.orientation = exifOrientation(yield* take(Math.min(length, MAX_EXIF_BYTES)))
    return
  }
}

function* readGif(header: PictureHeader): HeaderReader {
  const screen = yield* take(8)
  if (!/^F8[79]a/.test(screen.toString('latin1'))) return
  header.size = { width: screen.readUInt16LE(4), height: screen.readUInt16LE(6) }
}

const HAS_EXIF = 0x08

function* readWebp(header: PictureHeader): HeaderReader {
  const form = yield* take(10)
  if (form.toString('latin1', 0, 2) !== 'FF' || form.toString('latin1', 6) !== 'WEBP') return
  const type = (yield* take(8)).toString('latin1', 0, 4)
  if (type === 'VP8 ') {
    const frame = yield* take(10)
    if (frame.readUIntBE(3, 3) !== 0x9d012a) return
    // The bits above the 14 are a scale that nobody uses.
    header.size = { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff }
  }
  if (type === 'VP8L') {
    const frame = yield* take(5)
    const bits = frame.readUInt32LE(1)
    if (frame[0] === 0x2f) header.size = { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (type !== 'VP8X') return
  const canvas = yield* take(10)
  header.size = { width: canvas.readUIntLE(4, 3) + 1, height: canvas.readUIntLE(7, 3) + 1 }
  if ((canvas.readUInt8() & HAS_EXIF) !== 0) yield* readExifOfWebp(header)
}

/** The EXIF chunk comes after the pixels. */
function* readExifOfWebp(header: PictureHeader): HeaderReader {
  for (;;) {
    const chunk = yield* take(8)
    const length = chunk.readUInt32LE(4)
    if (chunk.toString('latin1', 0, 4) === 'EXIF') {
      header.orientation = exifOrientation(yield* take(Math.min(length, MAX_EXIF_BYTES)))
      return
    }
    // Padded to even.
    yield* skip(length + (length % 2))
  }
}

const BITMAPCOREHEADER = 12

function* readBmp(header: PictureHeader): HeaderReader {
  yield* skip(12)
  const info = yield* take(12)
  const isOld = info.readUInt32LE() === BITMAPCOREHEADER
  header.size = isOld
    ? { width: info.readUInt16LE(4), height: info.readUInt16LE(6) }
    : // A negative height means lines from top to bottom.
      { width: info.readInt32LE(4), height: Math.abs(info.readInt32LE(8)) }
}
