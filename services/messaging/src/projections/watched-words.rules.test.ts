import { describe, expect, test } from 'vitest'
import { WatchedWords } from './watched-words.rules.ts'

const watched = new WatchedWords()
watched.set(1, ['deploy', 'c++'])
watched.set(2, ['Big Deal', 'deploy'])
watched.set(3, ['größe', 'a', ''])

describe('alert words', () => {
  test.each([
    ['time to DEPLOY!', [1, 2]],
    ['deployment', []],
    ['redeploy', []],
    ['**deploy**ed', [1, 2]],
    ['_deploy', []],
    ['I like c++, you know', [1]],
    ['what a big deal', [2, 3]],
    ['big dealer', []],
    ['GRÖSSE und GRÖßE', [3]],
    ['', []],
  ])('%j alerts %j', (content, expected) => {
    expect(watched.find(content)).toEqual(expected)
  })

  test('alert nobody if nobody has any', () => {
    expect(new WatchedWords().find('deploy')).toEqual([])
  })

  test('of a user are replaced by the newest list', () => {
    const words = new WatchedWords()
    words.set(1, ['deploy', 'Deploy', 'merge'])
    words.set(2, ['deploy'])
    words.set(1, ['release', 'debug'])
    expect(words.find('deploy, merge')).toEqual([2])
    expect(words.find('debug the release')).toEqual([1])

    words.set(2, [])
    words.set(1, [])
    expect(words.find('deploy the release, merge, debug')).toEqual([])
  })
})
