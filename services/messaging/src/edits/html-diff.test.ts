import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHtmlDiffer } from './html-diff.ts'

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

test.each([
  ['nothing', '<p>a b</p>', '<p>a b</p>', '<p>a b</p>'],
  ['a word', '<p>a cat</p>', '<p>a dog</p>', `<p>a ${deleted('cat')}${inserted('dog')}</p>`],
  ['an end', '<p>a</p>', '<p>a b</p>', `<p>a${inserted(' b')}</p>`],
  ['a tag', '<p>a</p>', '<p><strong>a</strong></p>', '<p><strong>a</strong></p>'],
  ['escaped text', '<p>&lt;</p>', '<p>&gt;</p>', `<p>${deleted('&lt;')}${inserted('&gt;')}</p>`],
])('shows %s', (_, before, after, expected) => {
  expect(createHtmlDiffer()(before, after)).toBe(expected)
})

test('contains the whole new text, and nests like it', () => {
  const html = fc
    .array(fc.constantFrom('a ', 'b', ' c', '<p>', '</p>', '<em>', '</em>', '&amp;', '🦉'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(html, html, (before, after) => {
      const shown = createHtmlDiffer()(before, after)
        .replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1')
      expect(shown.replace(/\s/g, '')).toBe(after.replace(/\s/g, ''))
    }),
  )
})

const cpuMs = (act: () => void) => {
  const before = process.cpuUsage()
  act()
  return process.cpuUsage(before).user / 1000
}

test('stops comparing long texts without similarities', () => {
  const words = (prefix: string) => Array.from({ length: 50_000 }, (_, i) => `${prefix}${i}`).join(' ')
  const [before, after] = [words('a'), words('b')]
  const took = cpuMs(() =>
    expect(createHtmlDiffer()(before, after)).toBe(`${deleted(before)}${inserted(after)}`),
  )
  expect(took).toBeLessThan(2_000)
})

test('many texts without similarities cost little more than one', () => {
  const [before, after] = ['!?'.repeat(505), '.,'.repeat(505)]
  const diff = createHtmlDiffer()
  const took = cpuMs(() => {
    for (let i = 0; i < 60; i++) {
      expect(diff(before, after)).toContain(deleted(before))
      expect(diff(after, before)).toContain(deleted(after))
    }
  })
  expect(took).toBeLessThan(2_000)
})

test('finds small differences in many texts, even after some new texts', () => {
  const text = (i: number) => `${'word '.repeat(300)}${i}`
  const diff = createHtmlDiffer()
  for (let i = 0; i < 10; i++) diff('!?'.repeat(505), '.,'.repeat(505))
  for (let i = 0; i < 120; i++) {
    expect(diff(text(i), text(i + 1))).toBe(`${'word '.repeat(300)}${deleted(`${i}`)}${inserted(`${i + 1}`)}`)
  }
})
