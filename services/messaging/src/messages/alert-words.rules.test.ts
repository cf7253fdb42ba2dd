import { describe, expect, test } from '@jest/globals'
import { compileAlertWords } from './alert-words.rules.ts'

const find = compileAlertWords([
  { userId: 1, words: ['deploy', 'c++'] },
  { userId: 2, words: ['Big Deal', 'deploy'] },
  { userId: 3, words: ['größe', 'a', ''] },
])

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
    expect(find(content)).toEqual(expected)
  })

  test('nobody watches, nobody is alerted', () => {
    expect(compileAlertWords([])('deploy')).toEqual([])
  })
})
