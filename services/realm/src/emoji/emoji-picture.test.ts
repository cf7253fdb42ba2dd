import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeEmojiPicture } from './emoji-picture.ts'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } })

describe('makeEmojiPicture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'makes a PNG of a %s that fits in its square',
    async (format) => {
      const picture = await makeEmojiPicture(await blank(200, 100).toFormat(format).toBuffer())

      expect(picture).toMatchObject({ extension: 'png', still: null })
      const { data, info } = await sharp(picture.content)
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(info).toMatchObject({ width: 64, height: 64 })
      const alphaAt = (x: number, y: number) => data[(y * 64 + x) * 4 + 3]
      expect([alphaAt(32, 2), alphaAt(32, 32), alphaAt(2, 32)]).toEqual([0, 255, 255])
    },
  )

  test.each(['gif', 'webp'] as const)(
    'keeps an animated %s and makes a still picture of it',
    async (format) => {
      const frames = await sharp(
        [await blank(80, 80).png().toBuffer(), await blank(80, 80).negate().png().toBuffer()],
        {
          join: { animated: true },
        },
      )
        .toFormat(format)
        .toBuffer()

      const picture = await makeEmojiPicture(frames)

      expect(picture.extension).toBe(format)
      expect(await sharp(picture.content).metadata()).toMatchObject({ format, width: 64, pages: 2 })
      expect(await sharp(picture.still ?? Buffer.alloc(0)).metadata()).toMatchObject({
        format: 'png',
        width: 64,
      })
    },
  )

  test('removes metadata', async () => {
    const file = await blank(100, 100)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .jpeg()
      .toBuffer()

    expect(await sharp((await makeEmojiPicture(file)).content).metadata()).not.toHaveProperty('exif')
  })

  test.each([
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('<script>alert(1)</script>')],
    [
      'a drawing that could fetch',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['half a picture', async () => (await blank(64, 64).png().toBuffer()).subarray(0, 60)],
    ['a picture that is huge in memory', () => blank(6_000, 6_000).png().toBuffer()],
    ['a format that is not of the web', () => blank(64, 64).tiff().toBuffer()],
  ])('refuses %s', async (_, make) => {
    await expect(makeEmojiPicture(await make())).rejects.toMatchObject({ code: 'BAD_IMAGE' })
  })
})
