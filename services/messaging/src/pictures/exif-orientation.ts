const PREFIX = Buffer.from('Exif\0\0')
const ORIENTATION_TAG = 0x0112
const SHORT = 3
const ENTRY_BYTES = 12

/** The orientation in EXIF data (TIFF 6.0, chapter 2), with or without the prefix; 1, upright, if there is none. */
export function exifOrientation(data: Buffer): number {
  const tiff = data.indexOf(PREFIX) === 0 ? data.subarray(PREFIX.length) : data
  if (tiff.length < 8) return 1
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return 1
  const isLittle = order === 'II*\0'
  const int16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const entriesAt = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (entriesAt + 2 > tiff.length) return 1
  const first = entriesAt + 2
  const end = Math.min(first + int16(entriesAt) * ENTRY_BYTES, tiff.length - ENTRY_BYTES + 1)
  for (let at = first; at < end; at += ENTRY_BYTES) {
    if (int16(at) !== ORIENTATION_TAG) continue
    const orientation = int16(at + 2) === SHORT ? int16(at + 8) : 1
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}
