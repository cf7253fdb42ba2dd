import { describe, expect, test } from 'vitest'
import { partitionOf, preferredReplica } from './partition-of.ts'

const partitions = Array.from({ length: 64 }, (_, index) => index)

describe('partitionOf', () => {
  test('spreads neighbouring users evenly', () => {
    const counts = new Array<number>(16).fill(0)
    for (let userId = 1; userId <= 16_000; userId++) {
      const partition = partitionOf(userId, 16)
      counts[partition] = (counts[partition] ?? 0) + 1
    }

    for (const count of counts) expect(count).toBeGreaterThan(800)
    for (const count of counts) expect(count).toBeLessThan(1_200)
  })
})

describe('preferredReplica', () => {
  test('assigns every replica a share', () => {
    const owners = partitions.map((partition) => preferredReplica(partition, ['a', 'b', 'c']))

    for (const replica of ['a', 'b', 'c']) {
      expect(owners.filter((owner) => owner === replica).length).toBeGreaterThan(8)
    }
  })

  test('moves only the share of a replica that stops', () => {
    for (const partition of partitions) {
      const before = preferredReplica(partition, ['a', 'b', 'c'])
      const after = preferredReplica(partition, ['a', 'b'])
      if (before !== 'c') expect(after).toBe(before)
    }
  })

  test('returns nothing without replicas', () => {
    expect(preferredReplica(3, [])).toBeUndefined()
  })
})
