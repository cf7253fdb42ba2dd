import { describe, expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** A work that lasts until it is ended. */
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

describe('taking turns', () => {
  test('runs so many at once, the others in their order as one ends, well or not', async () => {
    const turns = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 2, refusal: 'too many' })
    const works = [aWork(), aWork(), aWork(), aWork()]
    const begun = () => works.map(({ state }) => state.hasBegun)
    const [first, second, third, fourth] = works.map(({ work }) => turns(work))

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

  test('refuses who would wait behind too many, and takes them again later', async () => {
    const turns = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 1, refusal: 'too many' })
    const [running, waiting, late] = [aWork(), aWork(), aWork()]
    const [ran, waited] = [turns(running.work), turns(waiting.work)]

    await expect(turns(late.work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(late.state.hasBegun).toBe(false)

    running.end()
    await ran
    const again = turns(late.work)
    waiting.end()
    await waited
    late.end()
    await expect(again).resolves.toBe('done')
  })
})
