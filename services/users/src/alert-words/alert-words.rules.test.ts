import { describe, expect, test } from 'vitest'
import { addWords, parseAlertWords, removeWords } from './alert-words.rules.ts'

describe('parseAlertWords', () => {
  test.each<[string, string[], string[]]>([
    ['trims', [' deploy ', 'on call'], ['deploy', 'on call']],
    ['drops empty words', ['', '  ', 'x'], ['x']],
    ['keeps the first spelling', ['Ship', 'ship', 'SHIP'], ['Ship']],
    ['takes 100 characters beyond the basic plane', ['🦉'.repeat(100)], ['🦉'.repeat(100)]],
    ['replaces a lone surrogate', ['a\ud800'], ['a\ufffd']],
  ])('%s', (_, words, parsed) => {
    expect(parseAlertWords(words)).toEqual(parsed)
  })

  test('refuses 101 characters', () => {
    expect(() => parseAlertWords(['ok', 'x'.repeat(101)])).toThrow('at most 100')
  })
})

describe('addWords', () => {
  test('keeps the existing spelling', () => {
    expect(addWords(['Ship'], ['ship', 'release'])).toEqual(['Ship', 'release'])
  })

  test('refuses the 1,001st word', () => {
    const thousand = Array.from({ length: 1_000 }, (_, i) => `w${i}`)

    expect(addWords(thousand, ['W1'])).toHaveLength(1_000)
    expect(() => addWords(thousand, ['new'])).toThrow('at most 1000')
  })

  test('refuses more than 20,000 characters in all', () => {
    const long = Array.from({ length: 200 }, (_, i) => '🦉'.repeat(97) + String(i).padStart(3, '0'))

    expect(addWords([], long)).toHaveLength(200)
    expect(() => addWords(long, ['x'])).toThrow('at most 20000 characters')
  })
})

describe('removeWords', () => {
  test('ignores case and unknown words', () => {
    expect(removeWords(['Ship', 'release'], ['SHIP', 'other'])).toEqual(['release'])
  })
})
