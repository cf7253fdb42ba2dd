import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../render-markdown.ts'
import { highlight } from './highlight.ts'

describe('highlighted code', () => {
  test('has the classes that clients know', () => {
    expect(highlight('def f(): # x\n', 'python')).toBe(
      '<span class="k">def</span> <span class="nf">f</span>(): <span class="c1"># x</span>\n',
    )
  })

  test('has no span within a span', () => {
    expect(highlight('`a${b}c`', 'javascript')).toBe(
      '<span class="s">`a</span><span class="si">${b}</span><span class="s">c`</span>',
    )
  })

  test('is escaped', () => {
    expect(highlight('"</span><script>"', 'json')).toBe(
      '<span class="s">&quot;&lt;/span&gt;&lt;script&gt;&quot;</span>',
    )
  })
})

test('code without a language is of the language that the organization chose', () => {
  const settings = { ...plainSettings, defaultCodeLanguage: 'python' }
  const html = (content: string) => renderMarkdown(content, createMentionLookup({}), settings).html

  expect(html('```\npass\n```')).toContain('data-code-language="Python"')
  expect(html('```text\npass\n```')).toContain('data-code-language="Text only"')
  expect(html('    pass')).not.toContain('data-code-language')
})
