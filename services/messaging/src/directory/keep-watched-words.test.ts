import { describe, expect, test } from '@jest/globals'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { keepWatchedWords } from './keep-watched-words.ts'

/** A database that answers what it is given, and notes since when it is asked. */
function aKeeper() {
  const asked: (string | null)[] = []
  const clock = { ms: 0 }
  let answer: AlertWordChanges = { cursor: '0', changes: [] }
  const getWatchedWords = keepWatchedWords({
    read: async (_, since) => {
      asked.push(since)
      return answer
    },
    maxAgeMs: 1_000,
    maxRealms: 10,
    now: () => clock.ms,
  })
  const tell = (cursor: string, changes: AlertWordChanges['changes'] = []) => {
    answer = { cursor, changes }
  }
  const find = async (content: string) => (await getWatchedWords(1)).find(content)
  return { asked, clock, tell, find }
}

describe('the words that people watch for', () => {
  test('are read once, and a second later only what changed', async () => {
    const { asked, clock, tell, find } = aKeeper()
    tell('100', [
      { userId: 1, words: ['deploy'] },
      { userId: 2, words: ['deploy'] },
    ])
    expect(await Promise.all([find('deploy'), find('deploy')])).toEqual([
      [1, 2],
      [1, 2],
    ])
    clock.ms = 999
    await find('deploy')
    expect(asked).toEqual([null])

    tell('105', [{ userId: 1, words: [] }])
    clock.ms = 1_000
    expect(await find('deploy')).toEqual([2])
    tell('107')
    clock.ms = 2_000
    expect(await find('deploy')).toEqual([2])
    expect(asked).toEqual([null, '100', '105'])
  })

  test('are read anew from a database that was put back to an earlier state', async () => {
    const { asked, clock, tell, find } = aKeeper()
    tell('100', [{ userId: 1, words: ['deploy'] }])
    await find('deploy')
    tell('99', [{ userId: 2, words: ['deploy'] }])
    clock.ms = 1_000
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
