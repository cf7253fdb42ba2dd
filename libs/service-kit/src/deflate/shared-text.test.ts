import { expect, test, vi } from 'vitest'
import { deflateText } from './deflated-text.ts'
import { SharedText } from './shared-text.ts'

vi.mock(import('./deflated-text.ts'), async (original) => {
  const { deflateText: deflate, ...others } = await original()
  return { ...others, deflateText: vi.fn(deflate) }
})

test('a text is deflated by the first answer that succeeds in it', async () => {
  vi.mocked(deflateText).mockRejectedValueOnce(new Error('no memory'))
  const text = new SharedText(Buffer.alloc(1_000, 'x'))

  await expect(text.deflate()).rejects.toThrow('no memory')
  const deflated = await text.deflate()

  expect(deflated.sum.length).toBe(1_000)
  expect(await text.deflate()).toBe(deflated)
})
