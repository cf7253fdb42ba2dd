import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const [mallory, ann, ben] = [1, 2, 3]
const refused = { code: 'SERVICE_UNAVAILABLE', message: 'too much' }

/** Tasks that run until they are ended, the last started first. */
function createTestQueue({ maxAtOnce = 1, maxWaiting = 100, maxWaitMs = 1_000 } = {}) {
  const runInQueue = createFairQueue({ maxAtOnce, maxWaiting, maxWaitMs, refusal: 'too much' })
  const started: string[] = []
  const ends: ((failure?: Error) => void)[] = []
  const add = (authorId: number, name: string) => {
    const work = runInQueue(authorId, () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve(name)))
      })
    })
    // Each test checks a rejection when it likes.
    work.catch(() => {})
    return work
  }
  const endOne = async (failure?: Error) => {
    ends.pop()?.(failure)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { started, add, endOne }
}

describe('createFairQueue', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('an author waits for only one task of another, however many that one has', async () => {
    const { started, add, endOne } = createTestQueue()
    for (const name of ['m1', 'm2', 'm3', 'm4']) void add(mallory, name)
    void add(ann, 'a1')
    void add(ann, 'a2')
    void add(ben, 'b1')
    expect(started).toEqual(['m1'])
    for (let ended = 0; ended < 7; ended++) await endOne()
    expect(started).toEqual(['m1', 'm2', 'a1', 'b1', 'm3', 'a2', 'm4'])
  })

  test('a failing task rejects only for its author', async () => {
    const { started, add, endOne } = createTestQueue()
    const [failing, following] = [add(mallory, 'm1'), add(ann, 'a1')]
    await endOne(new Error('failed'))
    await expect(failing).rejects.toThrow('failed')
    await endOne()
    await expect(following).resolves.toBe('a1')
    void add(ben, 'b1')
    expect(started).toEqual(['m1', 'a1', 'b1'])
  })

  test('rejects a task that waited too long, but not one that has started', async () => {
    const { started, add, endOne } = createTestQueue({ maxWaitMs: 1_000 })
    const [running, late] = [add(mallory, 'm1'), add(mallory, 'm2')]
    await vi.advanceTimersByTimeAsync(999)
    const next = add(ann, 'a1')
    await vi.advanceTimersByTimeAsync(1)
    await expect(late).rejects.toMatchObject(refused)
    await endOne()
    await expect(running).resolves.toBe('m1')
    await vi.advanceTimersByTimeAsync(5_000)
    await endOne()
    await expect(next).resolves.toBe('a1')
    expect(started).toEqual(['m1', 'a1'])
  })

  test('rejects the last task of the author with most of them if too many wait', async () => {
    const { started, add, endOne } = createTestQueue({ maxWaiting: 3 })
    const running = add(mallory, 'm1')
    const works = ['m2', 'm3', 'm4'].map((name) => add(mallory, name))
    const ofAnother = add(ann, 'a1')
    await expect(works[2]).rejects.toMatchObject(refused)
    await expect(add(mallory, 'm5')).rejects.toMatchObject(refused)
    for (let ended = 0; ended < 4; ended++) await endOne()
    expect(started).toEqual(['m1', 'm2', 'a1', 'm3'])
    await Promise.all([running, ofAnother])
  })

  test('runs a few tasks at once, but one of each author', async () => {
    const { started, add, endOne } = createTestQueue({ maxAtOnce: 2 })
    const works = [add(mallory, 'm1'), add(mallory, 'm2'), add(mallory, 'm3')]
    expect(started).toEqual(['m1'])
    works.push(add(ann, 'a1'), add(ben, 'b1'))
    expect(started).toEqual(['m1', 'a1'])
    await endOne()
    expect(started).toEqual(['m1', 'a1', 'b1'])
    await endOne()
    expect(started).toEqual(['m1', 'a1', 'b1'])
    await endOne()
    expect(started).toEqual(['m1', 'a1', 'b1', 'm2'])
    await endOne()
    await endOne()
    await Promise.all(works)
  })
})
