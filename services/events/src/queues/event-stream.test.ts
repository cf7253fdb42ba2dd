import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { JOIN_NOTHING } from './coalesce.ts'
import type { RenderedEvents } from './event-reader.ts'
import { EventStream, type StreamEnd, type StreamRead } from './event-stream.ts'
import { type PendingPoll, PendingPolls } from './pending-polls.ts'
import { PollSupersededError } from './read-queue.ts'

const QUEUE = 'b4c1'
let written: string[]
let writes: number
let isBehind: boolean
let isDestroyed: boolean
let isCongested: boolean
let mayEnd: boolean
let end: StreamEnd | null
/** How often one stream has ended. */
let endings: number
let reads: number[]
/** What the next read finds, or how it fails. */
let findNext: () => Partial<StreamRead>
/** What rendering waits for, unless it is from memory. */
let loading: Promise<void>
/** Whether committed events are in memory. */
let areInMemory: boolean
let onRenderFromMemory: () => void
/** Happens while events are loaded and rendered. */
let onRender: () => void
let stream: EventStream
let pending: PendingPoll

beforeEach(() => {
  vi.useFakeTimers()
  written = []
  writes = 0
  isBehind = false
  isDestroyed = false
  isCongested = false
  mayEnd = true
  end = null
  endings = 0
  reads = []
  findNext = () => ({})
  areInMemory = true
  loading = Promise.resolve()
  onRenderFromMemory = () => {}
  onRender = () => {}
})
afterEach(() => {
  vi.useRealTimers()
  expect(endings).toBeLessThanOrEqual(1)
})

const read = (found: Partial<StreamRead>): StreamRead => ({
  ...{ number: 1, eventIds: [], boundaries: JOIN_NOTHING, isPartial: false },
  ...found,
})
const rendered = (eventIds: readonly number[]): RenderedEvents => ({
  texts: eventIds.map((id) => `{"id":${id},"type":"message"}`),
  eventIds,
  requestIds: [],
  oldestAt: null,
})
/** Begins a stream whose answers contain at most two events. */
async function begin(found: Partial<StreamRead> = {}, { endsWhenEmpty = false } = {}): Promise<void> {
  let ownEndings = 0
  const source = {
    read: async (afterId: number) => {
      reads.push(afterId)
      return read(findNext())
    },
    render: async (eventIds: readonly number[]) => {
      await loading
      onRender()
      return rendered(eventIds.slice(0, 2))
    },
    renderFromMemory: (eventIds: readonly number[]) => {
      onRenderFromMemory()
      return areInMemory ? rendered(eventIds.slice(0, 2)) : null
    },
    isTemporary: (err: unknown) => err instanceof TypeError,
    onWritten: () => {},
    onEnded: (_: EventStream, reason: StreamEnd) => {
      end = reason
      endings = Math.max(endings, ++ownEndings)
    },
  }
  stream = new EventStream(source, { lastId: -1, endsWhenEmpty })
  pending = new PendingPolls().add(QUEUE, Number.POSITIVE_INFINITY, stream)
  pending.setNumber(1)
  const output = {
    writeEvents: (texts: readonly string[]) => {
      writes++
      written.push(...texts)
    },
    writeComment: () => void written.push('comment'),
    writeSuperseded: () => void written.push('superseded'),
    get isBehind() {
      return isBehind
    },
    get mayWrite() {
      return !isBehind && !isCongested
    },
    get mayEnd() {
      return mayEnd
    },
    taken: 0,
    destroy: () => {
      isDestroyed = true
      // As when its client leaves.
      pending.wake({ kind: 'disconnected' })
    },
  }
  await stream.begin(pending, output, read(found))
}
const commit = async (...eventIds: number[]) => {
  pending.wake({ kind: 'events', eventIds })
  await settle()
}
const settle = () => vi.advanceTimersByTimeAsync(0)
const idsWritten = () => written.map((text) => (JSON.parse(text) as { id: number }).id)

describe('a stream', () => {
  test.each([true, false])('writes each committed event once (in memory: %s)', async (inMemory) => {
    areInMemory = inMemory
    await begin({ eventIds: [1, 2] })
    await commit(2, 3)
    await commit(4)

    expect(idsWritten()).toEqual([1, 2, 3, 4])
    expect(written.at(-1)).toBe('{"id":4,"type":"message"}')
    expect(reads).toEqual([])
  })

  test('writes commits of one moment together', async () => {
    await begin()
    pending.wake({ kind: 'events', eventIds: [1] })
    await commit(2)
    await commit(3)

    expect(idsWritten()).toEqual([1, 2, 3])
    expect(writes).toBe(2)
  })

  test('writes events in their order, some of them in memory and some not', async () => {
    await begin()
    areInMemory = false
    let load = () => {}
    loading = new Promise((resolve) => {
      load = resolve
    })
    await commit(1)
    areInMemory = true
    await commit(2)
    expect(written).toEqual([])

    load()
    await settle()
    expect(idsWritten()).toEqual([1, 2])
    expect(reads).toEqual([])
  })

  test('reads the rest of a commit that does not fit into an answer', async () => {
    await begin()
    findNext = () => ({ eventIds: [3] })
    await commit(1, 2, 3)
    await commit(4)

    expect(idsWritten()).toEqual([1, 2, 3, 4])
    expect(reads).toEqual([2])
  })

  test('reads a commit that could not be rendered for the time being, and writes it once', async () => {
    await begin()
    onRenderFromMemory = () => {
      throw new TypeError('try again')
    }
    await commit(1)
    expect([end, written]).toEqual([null, []])

    onRenderFromMemory = () => {}
    findNext = () => ({ eventIds: [1] })
    await vi.advanceTimersByTimeAsync(1_000)
    expect([idsWritten(), reads]).toEqual([[1], [-1]])
    await commit(1, 2)

    expect(idsWritten()).toEqual([1, 2])
  })

  test('ends if rendering is refused', async () => {
    await begin()
    onRenderFromMemory = () => {
      throw new Error('refused')
    }
    await commit(1)

    expect([end, written]).toEqual(['failed', []])
  })

  test('writes nothing that follows what it has yet to read', async () => {
    await begin()
    findNext = () => {
      throw new TypeError('try again')
    }
    pending.wake({ kind: 'read' })
    await commit(2)
    await commit(3)
    expect(written).toEqual([])

    findNext = () => ({ eventIds: [1, 2] })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(idsWritten()).toEqual([1, 2])
  })

  test('ends when it has written what came after its link was congested, if it should', async () => {
    isCongested = true
    await begin({}, { endsWhenEmpty: true })
    isCongested = false
    await commit(1)

    expect(idsWritten()).toEqual([1])
    expect(end).toBe('stopped')
  })

  test('reads the rest of what does not fit into an answer', async () => {
    findNext = () => ({ eventIds: [3] })
    await begin({ eventIds: [1, 2, 3] })

    expect(idsWritten()).toEqual([1, 2, 3])
    expect(reads).toEqual([2])
  })

  test('reads the queue after a client that was behind has caught up, if much was committed meanwhile', async () => {
    await begin()
    isBehind = true
    for (let id = 1; id <= 2_001; id++) await commit(id)
    expect(written).toEqual([])
    findNext = () => ({ eventIds: [1, 2] })
    isBehind = false
    stream.onDrained()
    await settle()

    expect(reads[0]).toBe(-1)
    expect(idsWritten()).toEqual([1, 2])
  })

  test('cuts off a client that is behind for half a minute', async () => {
    await begin()
    isBehind = true
    stream.keep(1_000)
    stream.keep(30_999)
    expect(isDestroyed).toBe(false)
    stream.keep(31_000)
    expect(isDestroyed).toBe(true)
  })

  test('reads again what it could not write, since others wrote meanwhile', async () => {
    areInMemory = false
    await begin()
    onRender = () => {
      isCongested = true
    }
    await commit(1)
    await commit(2)
    expect(written).toEqual([])

    onRender = () => {}
    findNext = () => ({ eventIds: [1, 2] })
    isCongested = false
    stream.onDrained()
    await settle()
    await commit(3)

    expect(reads).toEqual([-1])
    expect(idsWritten()).toEqual([1, 2, 3])
  })

  test('does not cut off a client that reads while others fill its link', async () => {
    await begin()
    isCongested = true
    stream.keep(1_000)
    stream.keep(60_000)
    expect(isDestroyed).toBe(false)
  })

  test('tells a client that is behind that another has taken over, if it will get that', async () => {
    await begin()
    isBehind = true
    pending.wake({ kind: 'superseded', isPendingHere: true })
    await settle()
    expect([end, written, isDestroyed]).toEqual(['superseded', ['superseded'], false])

    mayEnd = false
    await begin()
    pending.wake({ kind: 'superseded', isPendingHere: true })
    await settle()
    expect([end, isDestroyed]).toEqual(['superseded', true])
  })

  test('writes a comment when it has written nothing for a while', async () => {
    await begin()
    stream.keep(performance.now() + 5_999)
    expect(written).toEqual([])
    stream.keep(performance.now() + 6_000)
    expect(written).toEqual(['comment'])
  })

  test('repeats a read that failed for the time being', async () => {
    findNext = () => {
      throw new TypeError('not now')
    }
    await begin()
    pending.wake({ kind: 'read' })
    await settle()
    findNext = () => ({ eventIds: [1] })
    await vi.advanceTimersByTimeAsync(1_000)

    expect(idsWritten()).toEqual([1])
    expect(end).toBeNull()
  })

  test('ends when its queue is gone', async () => {
    findNext = () => {
      throw new Error('gone')
    }
    await begin()
    pending.wake({ kind: 'read' })
    await settle()

    expect(end).toBe('failed')
  })

  test('says that another has taken over if it hears of it, and ends plainly if it finds it', async () => {
    await begin()
    pending.wake({ kind: 'superseded', isPendingHere: true })
    await settle()
    expect([end, written]).toEqual(['superseded', ['superseded']])

    written = []
    findNext = () => {
      throw new PollSupersededError()
    }
    await begin()
    pending.wake({ kind: 'read' })
    await settle()
    expect([end, written]).toEqual(['stopped', []])
  })

  test('ends once the queue is empty, if it should', async () => {
    findNext = () => ({ eventIds: [3] })
    await begin({ eventIds: [1, 2, 3] }, { endsWhenEmpty: true })

    expect(idsWritten()).toEqual([1, 2, 3])
    expect(end).toBe('stopped')
  })
})
