import { describe, expect, test } from 'vitest'
import { normalizeContent, normalizeTopic } from './content.rules.ts'

const lengthOf = (text: string) => Array.from(text).length

describe('normalizeContent', () => {
  test('strips trailing whitespace and leading newlines, and keeps leading spaces', () => {
    expect(normalizeContent('\n\n    code\n \t\n')).toBe('    code')
  })

  test.each(['', ' \n ', '\n'])('refuses %j, which is empty', (raw) => {
    expect(() => normalizeContent(raw)).toThrow('must not be empty')
  })

  test('refuses NUL', () => {
    expect(() => normalizeContent('a\0b')).toThrow('null bytes')
  })

  test('leaves a text of exactly the limit, counted in code points, unchanged', () => {
    const text = '🙂'.repeat(10_000)

    expect(normalizeContent(text)).toBe(text)
  })

  test('truncates a longer text to exactly the limit, with the marker at its end', () => {
    const cut = normalizeContent('🙂'.repeat(10_001))

    expect(lengthOf(cut)).toBe(10_000)
    expect(cut.endsWith('🙂\n[message truncated]')).toBe(true)
  })
})

describe('normalizeTopic', () => {
  test('trims', () => {
    expect(normalizeTopic('  lunch ')).toBe('lunch')
  })

  test('refuses none', () => {
    expect(() => normalizeTopic(undefined)).toThrow("can't be empty")
  })

  test.each(['', '  ', 'general chat', ' General Chat ', '(no topic)', ' (no topic) '])(
    'takes %j as the empty topic',
    (raw) => {
      expect(normalizeTopic(raw)).toBe('')
    },
  )

  test.each(['(No topic)', 'no topic', 'general', '\u2714 general chat'])('takes %j as it is', (raw) => {
    expect(normalizeTopic(raw)).toBe(raw)
  })

  test.each(['a\u0007b', 'a\nb', 'a\ufffeb', 'a\ud800b'])('refuses %j', (raw) => {
    expect(() => normalizeTopic(raw)).toThrow('Invalid character')
  })

  test('truncates a topic over the limit to 57 code points and an ellipsis', () => {
    expect(normalizeTopic('é'.repeat(60))).toBe('é'.repeat(60))
    expect(normalizeTopic('🙂'.repeat(61))).toBe(`${'🙂'.repeat(57)}...`)
  })
})
