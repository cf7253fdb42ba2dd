import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makePicture } from './make-picture.ts'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } })
const sizeOf = async (file: Buffer) => {
  const { format, width, height } = await sharp(file).metadata()
  return [format, width, height]
}

describe('makePicture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('makes a square PNG of a %s as icon', async (format) => {
    const file = await blank(300, 80).toFormat(format).toBuffer()

    expect(await sizeOf(await makePicture(file, 'icon'))).toEqual(['png', 100, 100])
  })

  test.each([
    [
      [1600, 200],
      [800, 100],
    ],
    [
      [100, 400],
      [25, 100],
    ],
    [
      [1600, 100],
      [800, 50],
    ],
    [
      [300, 60],
      [300, 60],
    ],
  ])('makes of %j a logo of %j', async ([width = 0, height = 0], size) => {
    const file = await blank(width, height).png().toBuffer()

    expect(await sizeOf(await makePicture(file, 'logo'))).toEqual(['png', ...size])
    expect(await sizeOf(await makePicture(file, 'night_logo'))).toEqual(['png', ...size])
  })

  test('removes metadata', async () => {
    const file = await blank(100, 100)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .jpeg()
      .toBuffer()

    for (const picture of ['icon', 'logo'] as const)
      expect(await sharp(await makePicture(file, picture)).metadata()).not.toHaveProperty('exif')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('refuses %s', async (_, file) => {
    await expect(makePicture(file, 'logo')).rejects.toMatchObject({ code: 'BAD_IMAGE' })
  })
})
