import { describe, expect, test } from 'vitest'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { createWatchedWordsCache } from './watched-words-cache.ts'

/** A cache over a database that returns the given answer and records the cursors it is read with. */
function aCache() {
  const readCursors: (string | null)[] = []
  let answer: AlertWordChanges = { cursor: '0', changes: [] }
  const state = { isCurrent: true }
  const words = createWatchedWordsCache({
    read: async (_, since) => {
      readCursors.push(since)
      return answer
    },
    isCurrent: () => state.isCurrent,
    maxRealms: 10,
  })
  const setAnswer = (cursor: string, changes: AlertWordChanges['changes'] = []) => {
    answer = { cursor, changes }
  }
  const find = async (content: string) => (await words.get(1)).find(content)
  return { readCursors, words, state, setAnswer, find }
}

describe('the cache of alert words', () => {
  test('reads all words once, and after a drop only what changed', async () => {
    const { readCursors, words, setAnswer, find } = aCache()
    setAnswer('100', [
      { userId: 1, words: ['deploy'] },
      { userId: 2, words: ['deploy'] },
    ])
    expect(await Promise.all([find('deploy'), find('deploy')])).toEqual([
      [1, 2],
      [1, 2],
    ])
    const firstReads = readCursors.length
    await find('deploy')
    expect(readCursors).toHaveLength(firstReads)

    setAnswer('105', [{ userId: 1, words: [] }])
    words.drop(1)
    expect(await find('deploy')).toEqual([2])
    setAnswer('107')
    words.dropAll()
    expect(await find('deploy')).toEqual([2])
    words.drop(2)
    await find('deploy')
    expect(readCursors.slice(firstReads)).toEqual(['100', '105'])
  })

  test('reads changes for every lookup while drops may be missed', async () => {
    const { readCursors, state, setAnswer, find } = aCache()
    setAnswer('100')
    await find('deploy')
    state.isCurrent = false
    await find('deploy')
    await find('deploy')
    expect(readCursors).toEqual([null, '100', '100'])
  })

  test('reads all words again after the database was restored to an earlier state', async () => {
    const { readCursors, words, setAnswer, find } = aCache()
    setAnswer('100', [{ userId: 1, words: ['deploy'] }])
    await find('deploy')
    setAnswer('99', [{ userId: 2, words: ['deploy'] }])
    words.drop(1)
    expect(await find('deploy')).toEqual([2])
    expect(readCursors).toEqual([null, '100', null])
  })

  test('doesn’t block the event loop while it loads many words', async () => {
    const { setAnswer, find } = aCache()
    const changes = Array.from({ length: 50_000 }, (_, userId) => ({ userId, words: [`w${userId}`, 'all'] }))
    setAnswer('1', changes)
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    expect(await find('w49999')).toEqual([49_999])
    clearInterval(turning)
    expect(turns).toBeGreaterThan(3)
  })
})
