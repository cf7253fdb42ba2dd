import { beforeEach, describe, expect, test } from 'vitest'
import type { LogRecord } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'
import { RecentLog } from '../log/recent-log.ts'
import type { KnownOffset } from '../log/same-log.ts'
import { feedFrom } from './feed-from.ts'

const aRecord = (offset: number): LogRecord => ({
  offset,
  entry: null,
  body: '',
  positions: {},
  cache: new Map(),
})

let recent: RecentLog
let rewound: number[]
let offered: number[]
beforeEach(() => {
  recent = new RecentLog(() => true)
  rewound = []
  offered = []
})

/** A feed that reads `next` now and has read what is in memory. */
const aFeed = (next: number, isAnchored = true) =>
  ({
    recent,
    isAnchored: () => isAnchored,
    next: () => next,
    rewind: ({ offset }: KnownOffset) => rewound.push(offset),
  }) as unknown as LogTail
const take = (committedOffset: number, feed: LogTail) => {
  const partition = {
    committed: { offset: committedOffset, mark: null },
    positions: {},
    offer: (records: readonly LogRecord[]) => offered.push(...records.map(({ offset }) => offset)),
  }
  feedFrom(feed, partition, [partition])
}

describe('a partition that is taken', () => {
  test('gets from memory what was read beyond where it stands', () => {
    for (const offset of [5, 6, 7, 8]) recent.add(aRecord(offset))

    take(6, aFeed(9))

    expect({ rewound, offered }).toEqual({ rewound: [], offered: [7, 8] })
  })

  test('has the feed go back for what is no longer in memory', () => {
    recent.add(aRecord(8))

    take(6, aFeed(9))

    expect({ rewound, offered }).toEqual({ rewound: [6], offered: [] })
  })

  test('gives the feed its first place', () => {
    take(6, aFeed(9, false))

    expect(rewound).toEqual([6])
  })

  test('waits for a feed that is still behind it, for the sake of others', () => {
    // It has just gone back, and has nothing in memory yet.
    take(6, aFeed(3))

    expect({ rewound, offered }).toEqual({ rewound: [], offered: [] })
  })
})
