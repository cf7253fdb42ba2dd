import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHtmlDiffer } from './html-diff.ts'

const came = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const went = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

test.each([
  ['nothing', '<p>a b</p>', '<p>a b</p>', '<p>a b</p>'],
  ['a word', '<p>a cat</p>', '<p>a dog</p>', `<p>a ${went('cat')}${came('dog')}</p>`],
  ['an end', '<p>a</p>', '<p>a b</p>', `<p>a${came(' b')}</p>`],
  ['a tag', '<p>a</p>', '<p><strong>a</strong></p>', '<p><strong>a</strong></p>'],
  ['escaped text', '<p>&lt;</p>', '<p>&gt;</p>', `<p>${went('&lt;')}${came('&gt;')}</p>`],
])('shows %s', (_, before, after, expected) => {
  expect(createHtmlDiffer()(before, after)).toBe(expected)
})

test('says everything of the new text, and nests as it does', () => {
  const html = fc
    .array(fc.constantFrom('a ', 'b', ' c', '<p>', '</p>', '<em>', '</em>', '&amp;', '🦉'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(html, html, (before, after) => {
      const kept = createHtmlDiffer()(before, after)
        .replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1')
      expect(kept.replace(/\s/g, '')).toBe(after.replace(/\s/g, ''))
    }),
  )
})

const cpuMs = (act: () => void) => {
  const before = process.cpuUsage()
  act()
  return process.cpuUsage(before).user / 1000
}

test('gives up looking for likeness in long texts that have none', () => {
  const words = (prefix: string) => Array.from({ length: 50_000 }, (_, i) => `${prefix}${i}`).join(' ')
  const [before, after] = [words('a'), words('b')]
  const took = cpuMs(() => expect(createHtmlDiffer()(before, after)).toBe(`${went(before)}${came(after)}`))
  expect(took).toBeLessThan(2_000)
})

test('many texts that have nothing in common cost little more than one', () => {
  const [before, after] = ['!?'.repeat(505), '.,'.repeat(505)]
  const diff = createHtmlDiffer()
  const took = cpuMs(() => {
    for (let i = 0; i < 60; i++) {
      expect(diff(before, after)).toContain(went(before))
      expect(diff(after, before)).toContain(went(after))
    }
  })
  expect(took).toBeLessThan(2_000)
})

test('finds what little differs in many texts, also beside some that are new', () => {
  const text = (i: number) => `${'word '.repeat(300)}${i}`
  const diff = createHtmlDiffer()
  for (let i = 0; i < 10; i++) diff('!?'.repeat(505), '.,'.repeat(505))
  for (let i = 0; i < 120; i++) {
    expect(diff(text(i), text(i + 1))).toBe(`${'word '.repeat(300)}${went(`${i}`)}${came(`${i + 1}`)}`)
  }
})
