import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

/** Without line ends between elements, which nobody sees. */
const html = (content: string) =>
  renderMarkdown(content, createMentionLookup({})).html.replaceAll(/\n(?=<)|(?<=>)\n/g, '')

describe('bullets', () => {
  test.each([
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['* a\n* b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n* b\n+ c', '<ul><li>a</li><li>b</li><li>c</li></ul>'],
    ['-   a\n-\tb', '<ul><li>a</li><li>b</li></ul>'],
    [' - a\n - b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n - b', '<ul><li>a</li><li>b</li></ul>'],
    ['text\n- a\ntext', '<p>text</p><ul><li>a<br>text</li></ul>'],
    ['- a\n\ntext', '<ul><li>a</li></ul><p>text</p>'],
    ['-a\n-b', '<p>-a<br>-b</p>'],
  ])('%j: %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test.each(['-', '+', '1.', '- ', 'a\n-\nb', 'a\n12. b'])('%j is text', (content) => {
    expect(html(content)).not.toContain('<li>')
  })

  test('may have an empty item between others', () => {
    expect(html('- a\n-\n- b')).toBe('<ul><li>a</li><li></li><li>b</li></ul>')
  })
})

describe('numbers', () => {
  test.each([
    ['begin where the first one says', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['begin at zero', '0. a', '<ol start="0"><li>a</li></ol>'],
    ['need not go up', '1. a\n1. b\n7. c', '<ol><li>a</li><li>b</li><li>c</li></ol>'],
    ['may be wide', '9. a\n10. b\n11. c', '<ol start="9"><li>a</li><li>b</li><li>c</li></ol>'],
    ['may begin wide', '100. a\n101. b', '<ol start="100"><li>a</li><li>b</li></ol>'],
    ['follow a line of text', 'text\n2. a\n3. b', '<p>text</p><ol start="2"><li>a</li><li>b</li></ol>'],
    ['at the end of a sentence are none', 'It was in\n1999. Really.', '<p>It was in<br>1999. Really.</p>'],
    ['with a bracket are none', '1) a\n2) b', '<p>1) a<br>2) b</p>'],
    ['without a space are none', '1.a', '<p>1.a</p>'],
  ])('%s', (_, content, expected) => {
    expect(html(content)).toBe(expected)
  })
})

describe('lists in lists', () => {
  test.each([
    ['- a\n  - b\n    - c\n- d', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>'],
    ['- a\n    - b\n        - c', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>'],
    ['- a\n\t- b', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    ['1. a\n  2. b\n3. c', '<ol><li>a<ol start="2"><li>b</li></ol></li><li>c</li></ol>'],
    ['1. a\n   1. b\n      1. c', '<ol><li>a<ol><li>b<ol><li>c</li></ol></li></ol></li></ol>'],
    ['10. a\n  11. b', '<ol start="10"><li>a<ol start="11"><li>b</li></ol></li></ol>'],
    ['- - a\n  - b', '<ul><li><ul><li>a</li><li>b</li></ul></li></ul>'],
    ['- a\n  - b\ntext', '<ul><li>a<ul><li>b<br>text</li></ul></li></ul>'],
  ])('%j: %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test('of another kind are set off', () => {
    expect(html('1. a\n  - b\n  - c\n2. d')).toBe(
      '<ol><li><p>a</p><ul><li>b</li><li>c</li></ul></li><li><p>d</p></li></ol>',
    )
  })
})

describe('items', () => {
  test.each([
    [
      'an empty line sets off from the next',
      '- a\n\n- b\n- c',
      '<ul><li><p>a</p></li><li><p>b</p></li><li>c</li></ul>',
    ],
    ['may have several paragraphs', '- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'],
    ['may go on below', '- a\n  b\n- c', '<ul><li><p>a<br>b</p></li><li><p>c</p></li></ul>'],
    [
      'of the other kind begin another list',
      '- a\n1. b\n- c',
      '<ul><li>a</li></ul><ol><li>b</li></ol><ul><li>c</li></ul>',
    ],
    ['may be quotes', '- > a\n- b', '<ul><li><blockquote><p>a</p></blockquote></li><li>b</li></ul>'],
    ['may be headings', '- # a', '<ul><li><h1>a</h1></li></ul>'],
    ['end at a rule', '- a\n---\n- b', '<ul><li>a</li></ul><hr><ul><li>b</li></ul>'],
    ['end at a quote', '- a\n> b', '<ul><li>a</li></ul><blockquote><p>b</p></blockquote>'],
  ])('%s', (_, content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test('may hold code, which keeps its indentation', () => {
    const code = '<div class="codehilite"><pre><span></span><code>x\n  y\n</code></pre></div>'

    expect(renderMarkdown('1. a\n   ```\n   x\n     y\n   ```', createMentionLookup({})).html).toContain(code)
    expect(renderMarkdown('- a\n  ```\n  x\n    y\n  ```', createMentionLookup({})).html).toContain(code)
  })
})
