import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTemporaryUrls } from './temporary-urls.ts'

const pathId = `7/a0/${'x'.repeat(24)}/Übersicht.pdf`
const tokenOf = (url: string) => url.split('/')[3] ?? ''

describe('temporary URLs', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are valid on every replica', () => {
    const url = createTemporaryUrls('secret').urlOf(pathId)

    expect(url).toMatch(/^\/user_uploads\/temporary\/[\w.-]+\/%C3%9Cbersicht\.pdf$/)
    expect(createTemporaryUrls('secret').pathIdOf(tokenOf(url))).toBe(pathId)
  })

  test('expire after a minute', () => {
    vi.useFakeTimers({ now: 1_000_000_000_000 })
    const urls = createTemporaryUrls('secret')
    const token = tokenOf(urls.urlOf(pathId))

    vi.setSystemTime(1_000_000_059_000)
    expect(urls.pathIdOf(token)).toBe(pathId)
    vi.setSystemTime(1_000_000_061_000)
    expect(urls.pathIdOf(token)).toBeNull()
  })

  test.each(['', 'x', 'a.b.c', tokenOf(createTemporaryUrls('another').urlOf(pathId))])(
    'are invalid without the secret: %j',
    (token) => {
      expect(createTemporaryUrls('secret').pathIdOf(token)).toBeNull()
    },
  )
})
