import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { type AnnouncedPosition, FollowedSource } from './followed-source.ts'
import type { Announcement } from './lease-store.ts'

const announcement = (seq: number, changes: unknown = [seq]): Announcement => ({
  ...{ epoch: 'e', source: 'users', cursor: `c${seq}` },
  ...{ seq, changes },
})

/** A follower that records its calls and has already received announcement 5. */
async function aFollowed(resumed: AnnouncedPosition | null = { epoch: 'e', seq: 5 }) {
  const done: string[] = []
  const acknowledged: number[] = []
  /** Work that an acknowledgement waits for, by the announcement's number; others wait for none. */
  const settling = new Map<number, Promise<void>>()
  let fails = false
  const followed = new FollowedSource(
    {
      source: 'users',
      resume: async () => resumed,
      apply: async ({ seq }) => {
        if (fails) throw new Error('the database is away')
        done.push(`apply ${seq}`)
      },
      catchUp: async (to) => {
        if (fails) throw new Error('users is away')
        done.push(`catch up to ${to?.seq}`)
      },
      beforeAcknowledging: async ({ seq }) => settling.get(seq),
    },
    ({ seq }) => acknowledged.push(seq),
    createLog('test', 'silent'),
  )
  /** The acknowledgements after all pending work has run. */
  const acknowledgedByNow = async () => {
    await new Promise(setImmediate)
    return acknowledged
  }
  return {
    ...{ followed, done, acknowledgedByNow, settling },
    fail: (now: boolean) => {
      fails = now
    },
  }
}

describe('announcements of a source', () => {
  afterEach(() => void vi.useRealTimers())

  test('are applied in order, once, and acknowledged', async () => {
    const { followed, done, acknowledgedByNow } = await aFollowed()
    for (const seq of [6, 7, 6, 8]) followed.receive(announcement(seq))

    await followed.catchUpTo({ epoch: 'e', seq: 8 })

    expect(done).toEqual(['apply 6', 'apply 7', 'apply 8'])
    expect(await acknowledgedByNow()).toEqual([6, 7, 6, 8])
  })

  test('are acknowledged once their own work is done, also before earlier ones', async () => {
    const { followed, done, acknowledgedByNow, settling } = await aFollowed()
    let settle = () => {}
    settling.set(6, new Promise((resolve) => (settle = resolve)))
    for (const seq of [6, 7]) followed.receive(announcement(seq))
    await followed.catchUpTo({ epoch: 'e', seq: 7 })
    expect(done).toEqual(['apply 6', 'apply 7'])
    expect(await acknowledgedByNow()).toEqual([])

    settle()

    expect(await acknowledgedByNow()).toEqual([6, 7])
  })

  test.each<[string, () => Promise<void>]>([
    ['cannot be acknowledged', () => Promise.reject(new Error('the database is away'))],
    ['cannot be acknowledged in time', () => new Promise(() => {})],
  ])('that %s delay later ones for two seconds at most', async (_, settle) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { followed, acknowledgedByNow, settling } = await aFollowed()
    settling.set(6, settle())
    for (const seq of [6, 7]) followed.receive(announcement(seq))
    await followed.catchUpTo({ epoch: 'e', seq: 7 })

    vi.advanceTimersByTime(2_000)

    expect(await acknowledgedByNow()).toEqual([7])
  })

  test('that are on their way at a renewal are awaited without a request to the source', async () => {
    const { followed, done } = await aFollowed()
    const reached = followed.catchUpTo({ epoch: 'e', seq: 7 })
    followed.receive(announcement(6))
    followed.receive(announcement(7))

    await reached

    expect(done).toEqual(['apply 6', 'apply 7'])
  })

  test('are fetched if one was lost, and acknowledged', async () => {
    const { followed, done, acknowledgedByNow } = await aFollowed()
    followed.receive(announcement(7))

    await followed.catchUpTo({ epoch: 'e', seq: 7 })
    followed.receive(announcement(8))
    await followed.catchUpTo({ epoch: 'e', seq: 8 })

    expect(done).toEqual(['catch up to 7', 'apply 8'])
    expect(await acknowledgedByNow()).toEqual([7, 8])
  })

  test('that are too large to be published are fetched', async () => {
    const { followed, done } = await aFollowed()
    followed.receive(announcement(6, null))

    await followed.catchUpTo({ epoch: 'e', seq: 6 })

    expect(done).toEqual(['catch up to 6'])
  })

  test('of another epoch are always fetched', async () => {
    const { followed, done } = await aFollowed()
    followed.receive({ ...announcement(6), epoch: 'f' })

    await followed.catchUpTo({ epoch: 'f', seq: 1 })

    expect(done).toEqual(['catch up to 1'])
  })

  test('that cannot be applied are not acknowledged until they can', async () => {
    const { followed, done, acknowledgedByNow, fail } = await aFollowed()
    fail(true)
    followed.receive(announcement(6))
    await expect(followed.catchUpTo({ epoch: 'e', seq: 6 })).rejects.toThrow('users is away')
    expect(await acknowledgedByNow()).toEqual([])

    fail(false)
    await followed.catchUpTo({ epoch: 'e', seq: 6 })
    expect(done).toEqual(['catch up to 6'])
    expect(await acknowledgedByNow()).toEqual([6])
  })

  test('from before a start are not fetched if nothing followed', async () => {
    const { followed, done } = await aFollowed()
    await followed.catchUpTo({ epoch: 'e', seq: 5 })
    expect(done).toEqual([])
  })
})
