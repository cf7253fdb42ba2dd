import { beforeEach, describe, expect, test } from 'vitest'
import type { LogRecord } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'
import { RecentLog } from '../log/recent-log.ts'
import type { KnownOffset } from '../log/same-log.ts'
import { catchUpPartitions } from './catch-up.ts'

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

/** A log tail that reads the offset `next` now and has the records of `recent` in memory. */
const aLogTail = (next: number, isAnchored = true) =>
  ({
    recent,
    isAnchored: () => isAnchored,
    next: () => next,
    rewind: ({ offset }: KnownOffset) => rewound.push(offset),
  }) as unknown as LogTail
const acquire = (committedOffset: number, logTail: LogTail) => {
  const partition = {
    committed: { offset: committedOffset, mark: null },
    positions: {},
    offer: (records: readonly LogRecord[]) => offered.push(...records.map(({ offset }) => offset)),
  }
  catchUpPartitions(logTail, partition, [partition])
}

describe('an acquired partition', () => {
  test('gets the records after its committed offset from memory', () => {
    for (const offset of [5, 6, 7, 8]) recent.add(aRecord(offset))

    acquire(6, aLogTail(9))

    expect({ rewound, offered }).toEqual({ rewound: [], offered: [7, 8] })
  })

  test('rewinds the log tail for records that are no longer in memory', () => {
    recent.add(aRecord(8))

    acquire(6, aLogTail(9))

    expect({ rewound, offered }).toEqual({ rewound: [6], offered: [] })
  })

  test('sets the first offset of the log tail', () => {
    acquire(6, aLogTail(9, false))

    expect(rewound).toEqual([6])
  })

  test('waits for a log tail that is still behind it, because other partitions need the entries in between', () => {
    // The log tail was just rewound and has nothing in memory yet.
    acquire(6, aLogTail(3))

    expect({ rewound, offered }).toEqual({ rewound: [], offered: [] })
  })
})
