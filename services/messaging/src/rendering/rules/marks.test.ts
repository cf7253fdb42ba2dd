import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) =>
  renderMarkdown(content, createMentionLookup({})).html.replace(/^<p>(.*)<\/p>$/s, '$1')

describe('bold', () => {
  test.each([
    ['**a**', '<strong>a</strong>'],
    ['**Note:**text', '<strong>Note:</strong>text'],
    ['text**(see)**', 'text<strong>(see)</strong>'],
    ['"**a**"', '&quot;<strong>a</strong>&quot;'],
    ['中文**「加粗」**中文', '中文<strong>「加粗」</strong>中文'],
    ['**これは。**それ', '<strong>これは。</strong>それ'],
    ['a**b**c', 'a<strong>b</strong>c'],
    ['**a** **b**', '<strong>a</strong> <strong>b</strong>'],
    ['**a*b**', '<strong>a*b</strong>'],
    ['**a ** b**', '<strong>a ** b</strong>'],
    ['**`x` and [y](/z)**', '<strong><code>x</code> and <a href="/z">y</a></strong>'],
    ['[**a**](/x)', '<a href="/x"><strong>a</strong></a>'],
  ])('%j is %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test.each([
    '2 ** 3 ** 4',
    '** a **',
    '**a',
    'a**',
    '****',
    '`**a**`',
    '**a\nb**',
    '__a__',
    '**a [b**](/x)',
  ])('is not meant by %j', (content) => {
    expect(html(content)).not.toContain('<strong>')
  })
})

describe('italic', () => {
  test.each([
    ['*a*', '<em>a</em>'],
    ['*Note:*text', '<em>Note:</em>text'],
    ['中文*（斜体）*中文', '中文<em>（斜体）</em>中文'],
    ['a*b*c', 'a<em>b</em>c'],
    ['*a*b*c*', '<em>a</em>b<em>c</em>'],
    ['*a\nb* c*', '*a<br>\nb* c*'],
    ['(*a*)', '(<em>a</em>)'],
    ['*a `*` b*', '<em>a <code>*</code> b</em>'],
  ])('%j is %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test.each(['2 * 3 * 4', 'const char *x = (char *)y', '*a', '*a *', '_a_', 'snake_case_name', '*[a*](/x)'])(
    'is not meant by %j',
    (content) => {
      expect(html(content)).not.toContain('<em>')
    },
  )
})

describe('strikethrough', () => {
  test.each([
    ['~~a~~', '<del>a</del>'],
    ['~~a~~b', '<del>a</del>b'],
    ['中文~~「删」~~中文', '中文<del>「删」</del>中文'],
    ['~~[a](/x)~~', '<del><a href="/x">a</a></del>'],
    ['~~~a~~~', '~~~a~~~'],
    ['~~~a~~', '~~~a~~'],
    ['~a~', '~a~'],
    ['a ~~~~ b', 'a ~~~~ b'],
    ['~~ a ~~', '<del> a </del>'],
    ['~~a\nb~~', '~~a<br>\nb~~'],
  ])('%j is %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })
})

describe('marks within marks', () => {
  test.each([
    ['***a***', '<strong><em>a</em></strong>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['*a **b** c*', '<em>a <strong>b</strong> c</em>'],
    ['***a* b**', '<strong><em>a</em> b</strong>'],
    ['**~~a~~**', '<strong><del>a</del></strong>'],
    ['~~a **b** *c*~~', '<del>a <strong>b</strong> <em>c</em></del>'],
    ['*a ~~b~~*', '<em>a <del>b</del></em>'],
    ['**a *b** c*', '<strong>a *b</strong> c*'],
    ['*[a*b](/x)*', '<em><a href="/x">a*b</a></em>'],
  ])('%j is %s', (content, expected) => {
    expect(html(content)).toBe(expected)
  })
})
