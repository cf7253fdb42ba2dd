import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { diffHtml } from './html-diff.ts'

const came = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const went = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

test.each([
  ['nothing', '<p>a b</p>', '<p>a b</p>', '<p>a b</p>'],
  ['a word', '<p>a cat</p>', '<p>a dog</p>', `<p>a ${went('cat')}${came('dog')}</p>`],
  ['an end', '<p>a</p>', '<p>a b</p>', `<p>a${came(' b')}</p>`],
  ['a tag', '<p>a</p>', '<p><strong>a</strong></p>', '<p><strong>a</strong></p>'],
  ['escaped text', '<p>&lt;</p>', '<p>&gt;</p>', `<p>${went('&lt;')}${came('&gt;')}</p>`],
])('shows %s', (_, before, after, expected) => {
  expect(diffHtml(before, after)).toBe(expected)
})

test('says everything of the new text, and nests as it does', () => {
  const html = fc
    .array(fc.constantFrom('a ', 'b', ' c', '<p>', '</p>', '<em>', '</em>', '&amp;', '🦉'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(html, html, (before, after) => {
      const kept = diffHtml(before, after)
        .replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1')
      expect(kept.replace(/\s/g, '')).toBe(after.replace(/\s/g, ''))
    }),
  )
})

test('gives up looking for likeness in long texts that have none', () => {
  const words = (prefix: string) => Array.from({ length: 50_000 }, (_, i) => `${prefix}${i}`).join(' ')
  const before = process.cpuUsage()
  expect(diffHtml(words('a'), words('b'))).toContain('highlight_text_deleted')
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})
