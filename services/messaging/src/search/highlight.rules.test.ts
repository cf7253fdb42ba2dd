import { describe, expect, test } from 'vitest'
import { highlightHtml, highlightText, wordsOfHtml } from './highlight.rules.ts'

const words = (...found: string[]) => ({ words: new Set(found), literals: [] })
const literals = (...found: string[]) => ({ words: new Set<string>(), literals: found })
const hit = (text: string) => `<span class="highlight">${text}</span>`

describe('highlightHtml', () => {
  test('marks whole words, whatever their case', () => {
    expect(highlightHtml('<p>Lunch or lunches? <b>LUNCH</b></p>', words('lunch'))).toBe(
      `<p>${hit('Lunch')} or lunches? <b>${hit('LUNCH')}</b></p>`,
    )
  })

  test.each([
    ['attributes', '<a href="https://x.org/lunch" title="lunch > dinner">menu</a>'],
    ['names of tags', '<span class="p">menu</span>'],
    ['entities', '<p>&nbsp;menu&hellip;</p>'],
  ])('leaves %s alone', (_, html) => {
    expect(highlightHtml(html, words('lunch', 'span', 'class', 'p', 'nbsp', 'hellip', 'title'))).toBe(html)
  })

  test('marks literal text, also across escaped characters', () => {
    expect(highlightHtml('<p>if a &lt; b &amp;&amp; c</p>', literals('< B &'))).toBe(
      `<p>if a ${hit('&lt; b &amp;')}&amp; c</p>`,
    )
  })

  test('treats no text as a pattern', () => {
    expect(highlightHtml('<p>a.c abc (50%)</p>', literals('a.c', '(50%)'))).toBe(
      `<p>${hit('a.c')} abc ${hit('(50%)')}</p>`,
    )
  })

  test('marks hits that overlap once', () => {
    expect(highlightHtml('<p>the lunch break</p>', { words: new Set(['lunch']), literals: ['nch br'] })).toBe(
      `<p>the ${hit('lunch br')}eak</p>`,
    )
  })
})

test('highlightText escapes a plain text', () => {
  expect(highlightText('<b>lunch</b> & more', words('lunch', 'b'))).toBe(
    `&lt;${hit('b')}&gt;${hit('lunch')}&lt;/${hit('b')}&gt; &amp; more`,
  )
})

test('wordsOfHtml returns the visible words', () => {
  expect(wordsOfHtml('<p class="x">Don&#39;t <i>Ärger</i> 42&nbsp;me</p>')).toEqual([
    'don',
    't',
    'ärger',
    '42',
    'me',
  ])
})
