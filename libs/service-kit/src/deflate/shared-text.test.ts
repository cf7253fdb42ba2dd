import { expect, test, vi } from 'vitest'
import { deflateText } from './deflated-text.ts'
import { SharedText } from './shared-text.ts'

test('a text is deflated by the first answer that succeeds in it', async () => {
  const deflate = vi.fn(deflateText).mockRejectedValueOnce(new Error('no memory'))
  const text = new SharedText(Buffer.alloc(1_000, 'x'), deflate)

  await expect(text.deflate()).rejects.toThrow('no memory')
  const deflated = await text.deflate()

  expect(deflated.sum.length).toBe(1_000)
  expect(await text.deflate()).toBe(deflated)
  expect(deflate).toHaveBeenCalledTimes(2)
})
