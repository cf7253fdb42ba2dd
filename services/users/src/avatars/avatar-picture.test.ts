import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeAvatarPicture } from './avatar-picture.ts'

const blank = (width: number, height: number, background = '#c00') =>
  sharp({ create: { width, height, channels: 3, background } })

describe('makeAvatarPicture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('makes two square PNGs of a %s', async (format) => {
    const file = await blank(300, 80).toFormat(format).toBuffer()

    const { original, medium, normal } = await makeAvatarPicture(file)

    expect(original).toBe(file)
    expect(await sharp(medium).metadata()).toMatchObject({ format: 'png', width: 500, height: 500 })
    expect(await sharp(normal).metadata()).toMatchObject({ format: 'png', width: 100, height: 100 })
  })

  test('crops the middle of a picture that is not square', async () => {
    const middle = await blank(100, 100, '#00c').png().toBuffer()
    const file = await blank(300, 100)
      .composite([{ input: middle }])
      .png()
      .toBuffer()

    const { normal } = await makeAvatarPicture(file)

    const { data, info } = await sharp(normal).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ]
    expect([at(5, 50), at(95, 50)]).toEqual([
      [0, 0, 0xcc],
      [0, 0, 0xcc],
    ])
  })

  test('uses the first frame of an animation', async () => {
    const frames = await sharp(
      [await blank(80, 80).png().toBuffer(), await blank(80, 80, '#00c').png().toBuffer()],
      { join: { animated: true } },
    )
      .gif()
      .toBuffer()

    const { normal } = await makeAvatarPicture(frames)

    expect(await sharp(normal).metadata()).toMatchObject({ format: 'png', width: 100, height: 100 })
    expect((await sharp(normal).stats()).dominant.r).toBeGreaterThan(100)
  })

  test('removes metadata', async () => {
    const file = await blank(100, 100)
      .withExif({ IFD0: { Copyright: 'Ann' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer()

    const { medium, normal } = await makeAvatarPicture(file)

    for (const picture of [medium, normal]) expect(await sharp(picture).metadata()).not.toHaveProperty('exif')
  })

  test.each([
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('<script>alert(1)</script>')],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['half a picture', async () => (await blank(64, 64).png().toBuffer()).subarray(0, 60)],
    ['a picture too large when decoded', () => blank(6_000, 6_000).png().toBuffer()],
    ['an unsupported format', () => blank(64, 64).tiff().toBuffer()],
  ])('refuses %s', async (_, make) => {
    await expect(makeAvatarPicture(await make())).rejects.toMatchObject({ code: 'BAD_IMAGE' })
  })
})
