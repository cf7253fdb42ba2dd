import { describe, expect, test } from 'vitest'
import { findEmoji } from './find-emoji.ts'

const codes = (text: string) => findEmoji(text).map(({ code }) => code)

describe('emoji in a text', () => {
  test.each([
    ['ok 👍, fine', ['1f44d']],
    ['👍🏽', ['1f44d-1f3fd']],
    ['❤️ and ❤', ['2764', '2764']],
    ['🇩🇪🇫🇷', ['1f1e9-1f1ea', '1f1eb-1f1f7']],
    ['👨‍👩‍👧', ['1f468-200d-1f469-200d-1f467']],
    ['🤷‍♂️', ['1f937-200d-2642']],
    ['1️⃣', ['0031-20e3']],
    ['🏴󠁧󠁢󠁳󠁣󠁴󠁿', ['1f3f4-e0067-e0062-e0073-e0063-e0074-e007f']],
    ['🐙🐙', ['1f419', '1f419']],
    ['©️', ['00a9']],
  ])('%s: %j', (text, expected) => {
    expect(codes(text)).toEqual(expected)
  })

  test('are the longest known part of a sequence', () => {
    expect(codes('🐙‍🚀')).toEqual(['1f419', '1f680'])
    expect(codes('🐙🏽')).toEqual(['1f419', '1f3fd'])
  })

  test('have their position, including selectors', () => {
    expect(findEmoji('a❤️b')).toEqual([{ start: 1, end: 3, code: '2764' }])
  })

  test.each(['', 'plain 123 #*', '© ® ™ ↔ é 漢字', '❤︎', '\u200D\uFE0F'])('are none in %j', (text) => {
    expect(codes(text)).toEqual([])
  })

  test('are found in linear time', () => {
    const time = (length: number) => {
      const text = '👨‍'.repeat(length)
      const once = () => {
        const before = process.cpuUsage()
        findEmoji(text)
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1_000
      }
      // CPU, of the cheapest of several runs: collecting garbage only adds to it.
      return Math.min(...Array.from({ length: 3 }, once))
    }
    // Ten times as much for ten times the text; a hundred times if each were compared with all.
    expect(time(20_000)).toBeLessThan(40 * (time(2_000) + 1))
  })
})
