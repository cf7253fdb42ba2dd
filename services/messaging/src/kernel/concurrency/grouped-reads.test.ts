import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { GroupedReads } from './grouped-reads.ts'

/** Reads that end when the test says so; an answer is its question in capitals. */
function heldReads() {
  const asked: string[][] = []
  const ends: (() => void)[] = []
  const read = async (questions: readonly string[]) => {
    asked.push([...questions])
    await new Promise<void>((resolve) => ends.push(resolve))
    if (questions.includes('forbidden')) throw Object.assign(new Error('refused'), { code: '22003' })
    if (questions.includes('lost')) throw new Error('gone silent')
    return questions.map((question) => question.toUpperCase())
  }
  const reads = new GroupedReads(read, { usual: 1, connections: 2 })
  const outcomesOf = async (...questions: string[]) =>
    (await Promise.allSettled(questions.map((question) => reads.ask(question)))).map((outcome) =>
      'value' in outcome ? outcome.value : outcome.reason.message,
    )
  return {
    reads,
    outcomesOf,
    asked,
    endAll: async () => {
      for (const end of ends.splice(0)) end()
      await nextTurn()
    },
  }
}

test('what is asked in one turn of the event loop is read together, and each gets its own answer', async () => {
  const { reads, asked, endAll } = heldReads()
  const answers = Promise.all(['a', 'b'].map((question) => reads.ask(question)))
  await nextTurn()
  await endAll()
  expect(await answers).toEqual(['A', 'B'])
  expect(asked).toEqual([['a', 'b']])
})

test('what is asked during a read waits for the next one, which begins afterwards', async () => {
  const { reads, asked, endAll } = heldReads()
  const first = reads.ask('a')
  await nextTurn()
  const later = ['b', 'c'].map((question) => reads.ask(question))
  await nextTurn()
  expect(asked).toEqual([['a']])
  await endAll()
  expect(await first).toBe('A')
  await endAll()
  expect(await Promise.all(later)).toEqual(['B', 'C'])
})

test('a question that the server refuses fails alone', async () => {
  const { outcomesOf, endAll } = heldReads()
  const outcomes = outcomesOf('a', 'forbidden', 'b')
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    await endAll()
  }
  expect(await outcomes).toEqual(['A', 'refused', 'B'])
})

test('if the server is lost, all fail at once', async () => {
  const { outcomesOf, asked, endAll } = heldReads()
  const outcomes = outcomesOf('a', 'lost', 'b')
  await nextTurn()
  await endAll()
  expect(await outcomes).toEqual(['gone silent', 'gone silent', 'gone silent'])
  expect(asked).toHaveLength(1)
})

test('if the server is lost while questions are asked one by one, the rest fail with the first', async () => {
  const { outcomesOf, asked, endAll } = heldReads()
  const outcomes = outcomesOf('forbidden', 'lost', 'a', 'b')
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    await endAll()
  }
  expect(await outcomes).toEqual(['refused', 'gone silent', 'gone silent', 'gone silent'])
  expect(asked).toHaveLength(3)
})

test('a question that waits too long, or behind too many, is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  try {
    const { reads, outcomesOf, asked, endAll } = heldReads()
    const first = reads.ask('a')
    await nextTurn()
    // Once that takes long another may begin: it takes the last connection.
    await vi.advanceTimersByTimeAsync(100)
    const second = reads.ask('e')
    await nextTurn()
    expect(asked).toEqual([['a'], ['e']])
    const late = outcomesOf('b')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await late).toEqual(['The server is busy; try again.'])

    const many = outcomesOf(...Array.from({ length: 10_000 }, () => 'c'))
    expect(await outcomesOf('d')).toEqual(['The server is busy; try again.'])
    await vi.advanceTimersByTimeAsync(6_000)
    expect(new Set(await many)).toEqual(new Set(['The server is busy; try again.']))
    await endAll()
    expect(await Promise.all([first, second])).toEqual(['A', 'E'])
  } finally {
    vi.useRealTimers()
  }
})
