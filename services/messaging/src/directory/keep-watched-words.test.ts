import { describe, expect, test } from 'vitest'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { keepWatchedWords } from './keep-watched-words.ts'

/** A database that answers what it is given, and notes since when it is asked. */
function aKeeper() {
  const asked: (string | null)[] = []
  let answer: AlertWordChanges = { cursor: '0', changes: [] }
  const state = { isCurrent: true }
  const words = keepWatchedWords({
    read: async (_, since) => {
      asked.push(since)
      return answer
    },
    isCurrent: () => state.isCurrent,
    maxRealms: 10,
  })
  const tell = (cursor: string, changes: AlertWordChanges['changes'] = []) => {
    answer = { cursor, changes }
  }
  const find = async (content: string) => (await words.get(1)).find(content)
  return { asked, words, state, tell, find }
}

describe('the words that people watch for', () => {
  test('are read once, and after a drop only what changed', async () => {
    const { asked, words, tell, find } = aKeeper()
    tell('100', [
      { userId: 1, words: ['deploy'] },
      { userId: 2, words: ['deploy'] },
    ])
    expect(await Promise.all([find('deploy'), find('deploy')])).toEqual([
      [1, 2],
      [1, 2],
    ])
    const asksOfFirst = asked.length
    await find('deploy')
    expect(asked).toHaveLength(asksOfFirst)

    tell('105', [{ userId: 1, words: [] }])
    words.drop(1)
    expect(await find('deploy')).toEqual([2])
    tell('107')
    words.dropAll()
    expect(await find('deploy')).toEqual([2])
    words.drop(2)
    await find('deploy')
    expect(asked.slice(asksOfFirst)).toEqual(['100', '105'])
  })

  test('are read each time while drops may be missed', async () => {
    const { asked, state, tell, find } = aKeeper()
    tell('100')
    await find('deploy')
    state.isCurrent = false
    await find('deploy')
    await find('deploy')
    expect(asked).toEqual([null, '100', '100'])
  })

  test('are read anew from a database that was put back to an earlier state', async () => {
    const { asked, words, tell, find } = aKeeper()
    tell('100', [{ userId: 1, words: ['deploy'] }])
    await find('deploy')
    tell('99', [{ userId: 2, words: ['deploy'] }])
    words.drop(1)
    expect(await find('deploy')).toEqual([2])
    expect(asked).toEqual([null, '100', null])
  })

  test('don’t hold up others while there are many', async () => {
    const { tell, find } = aKeeper()
    const changes = Array.from({ length: 50_000 }, (_, userId) => ({ userId, words: [`w${userId}`, 'all'] }))
    tell('1', changes)
    let turns = 0
    const turning = setInterval(() => turns++, 0)
    expect(await find('w49999')).toEqual([49_999])
    clearInterval(turning)
    expect(turns).toBeGreaterThan(3)
  })
})
