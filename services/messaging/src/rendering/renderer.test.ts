import { describe, expect, test, vi } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createRenderer } from './renderer.ts'
import type { RenderingThread } from './rendering-thread.ts'

const jobOf = (content: string) => ({ content, lookup: createMentionLookup({}), settings: plainSettings })
const long = jobOf('x'.repeat(3_000))
const SLOW = '<p><em>slow</em></p>'

/** A thread in which every text takes `ms`, as `TIMEOUT_MS` allows. */
function aThread(ms: number): RenderingThread {
  return {
    run: (_, timeoutMs) =>
      new Promise((resolve) => {
        const rendered = renderMarkdown('*slow*', createMentionLookup({}))
        setTimeout(() => resolve(ms > timeoutMs ? null : rendered), Math.min(ms, timeoutMs))
      }),
    close: async () => {},
  }
}

describe('a long text', () => {
  test('waits for the thread, and is rejected only if it would wait too long', async () => {
    vi.useFakeTimers()
    const renderer = createRenderer(aThread(4_000))
    const texts = [1, 2, 3, 4].map((authorId) =>
      renderer.render(authorId, long).then(
        (rendered) => rendered?.html,
        ({ code }) => code,
      ),
    )
    await vi.advanceTimersByTimeAsync(20_000)
    vi.useRealTimers()
    expect(await Promise.all(texts)).toEqual([SLOW, SLOW, SLOW, 'SERVICE_UNAVAILABLE'])
  })

  test('is rejected if its own rendering takes more than 5 s', async () => {
    vi.useFakeTimers()
    const text = createRenderer(aThread(60_000)).render(1, long)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await text).toBeNull()
  })
})

test('a short text doesn’t wait for the thread', async () => {
  const renderer = createRenderer({ ...aThread(0), run: () => new Promise(() => {}) })
  void renderer.render(1, long)
  expect(await renderer.render(1, jobOf('*short*'))).toMatchObject({ html: '<p><em>short</em></p>' })
})
