import { describe, expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** Work that lasts until the test ends it. */
function aWork() {
  let end: (failure?: Error) => void = () => {}
  const state = { hasBegun: false }
  const work = () => {
    state.hasBegun = true
    return new Promise<string>((resolve, reject) => {
      end = (failure) => (failure ? reject(failure) : resolve('done'))
    })
  }
  return { state, work, end: (failure?: Error) => end(failure) }
}

describe('a concurrency limit', () => {
  test('runs a limited number at once, and the next in order when one succeeds or fails', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 2, refusal: 'too many' })
    const works = [aWork(), aWork(), aWork(), aWork()]
    const begun = () => works.map(({ state }) => state.hasBegun)
    const [first, second, third, fourth] = works.map(({ work }) => limit(work))

    expect(begun()).toEqual([true, true, false, false])
    works[1]?.end(new Error('failed'))
    await expect(second).rejects.toThrow('failed')
    expect(begun()).toEqual([true, true, true, false])
    works[0]?.end()
    await expect(first).resolves.toBe('done')
    expect(begun()).toEqual([true, true, true, true])
    works[2]?.end()
    works[3]?.end()
    await Promise.all([third, fourth])
  })

  test('refuses calls if too many wait, and accepts them again later', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 1, refusal: 'too many' })
    const [running, waiting, late] = [aWork(), aWork(), aWork()]
    const [ran, waited] = [limit(running.work), limit(waiting.work)]

    await expect(limit(late.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(late.state.hasBegun).toBe(false)

    running.end()
    await ran
    const again = limit(late.work)
    waiting.end()
    await waited
    late.end()
    await expect(again).resolves.toBe('done')
  })
})
