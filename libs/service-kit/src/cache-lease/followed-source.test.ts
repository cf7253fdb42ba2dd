import { describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { FollowedSource, type FollowedTo } from './followed-source.ts'
import type { Announcement } from './lease-store.ts'

const announcement = (seq: number, changes: unknown = [seq]): Announcement => ({
  ...{ epoch: 'e', source: 'users', cursor: `c${seq}` },
  ...{ seq, changes },
})

/** A follower that notes what it is given, after 5 announcements that it heard of before. */
async function aFollowed(resumed: FollowedTo | null = { epoch: 'e', seq: 5 }) {
  const done: string[] = []
  const acknowledged: number[] = []
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
    },
    ({ seq }) => acknowledged.push(seq),
    createLog('test', 'silent'),
  )
  return {
    ...{ followed, done, acknowledged },
    fail: (now: boolean) => {
      fails = now
    },
  }
}

describe('announcements of a source', () => {
  test('are applied in their order and acknowledged, those that come again not twice', async () => {
    const { followed, done, acknowledged } = await aFollowed()
    for (const seq of [6, 7, 6, 8]) followed.receive(announcement(seq))

    await followed.reach({ epoch: 'e', seq: 8 })

    expect(done).toEqual(['apply 6', 'apply 7', 'apply 8'])
    expect(acknowledged).toEqual([6, 7, 6, 8])
  })

  test('that are on their way when the lease is renewed are awaited, and nobody is asked', async () => {
    const { followed, done } = await aFollowed()
    const reached = followed.reach({ epoch: 'e', seq: 7 })
    followed.receive(announcement(6))
    followed.receive(announcement(7))

    await reached

    expect(done).toEqual(['apply 6', 'apply 7'])
  })

  test('of which one was lost are asked for, and acknowledged', async () => {
    const { followed, done, acknowledged } = await aFollowed()
    followed.receive(announcement(7))

    await followed.reach({ epoch: 'e', seq: 7 })
    followed.receive(announcement(8))
    await followed.reach({ epoch: 'e', seq: 8 })

    expect(done).toEqual(['catch up to 7', 'apply 8'])
    expect(acknowledged).toEqual([7, 8])
  })

  test('that are too large to be carried are asked for', async () => {
    const { followed, done } = await aFollowed()
    followed.receive(announcement(6, null))

    await followed.reach({ epoch: 'e', seq: 6 })

    expect(done).toEqual(['catch up to 6'])
  })

  test('of another epoch are asked for, however few they are', async () => {
    const { followed, done } = await aFollowed()
    followed.receive({ ...announcement(6), epoch: 'f' })

    await followed.reach({ epoch: 'f', seq: 1 })

    expect(done).toEqual(['catch up to 1'])
  })

  test('that cannot be applied are not acknowledged, and reached once they can', async () => {
    const { followed, done, acknowledged, fail } = await aFollowed()
    fail(true)
    followed.receive(announcement(6))
    await expect(followed.reach({ epoch: 'e', seq: 6 })).rejects.toThrow('users is away')
    expect(acknowledged).toEqual([])

    fail(false)
    await followed.reach({ epoch: 'e', seq: 6 })
    expect(done).toEqual(['catch up to 6'])
    expect(acknowledged).toEqual([6])
  })

  test('from before a start are not asked for again where nothing came since', async () => {
    const { followed, done } = await aFollowed()
    await followed.reach({ epoch: 'e', seq: 5 })
    expect(done).toEqual([])
  })
})
