import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GroupedReads } from './grouped-reads.ts'

/** Reads that end when the test says so; an answer is its question in capitals. */
function heldReads() {
  const asked: string[][] = []
  const ends: (() => void)[] = []
  const read = async (questions: readonly string[]) => {
    asked.push([...questions])
    await new Promise<void>((resolve) => ends.push(resolve))
    if (questions.includes('forbidden')) throw new Error('refused')
    return questions.map((question) => question.toUpperCase())
  }
  const reads = new GroupedReads(read, { usual: 1, connections: 2 })
  return {
    reads,
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
  const { reads, endAll } = heldReads()
  const outcomes = Promise.allSettled(['a', 'forbidden', 'b'].map((question) => reads.ask(question)))
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    await endAll()
  }
  expect(
    (await outcomes).map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.message)),
  ).toEqual(['A', 'refused', 'B'])
})
