import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html

describe('mathematics in a line', () => {
  test('is typeset, and keeps its source for screen readers', () => {
    expect(html('so $$x^2$$.')).toMatch(/^<p>so <span class="katex">.*x\^2.*<\/span>\.<\/p>$/s)
  })

  test.each(['$$\\nope$$', '$$\\frac{1$$', '$$<b>\\x$$'])(
    '%s is an error that shows the typed text',
    (content) => {
      expect(html(content)).toBe(
        `<p><span class="tex-error">${content.replace('<', '&lt;').replace('>', '&gt;')}</span></p>`,
      )
    },
  )

  test.each(['$$ x', '$x$', '$$$$', 'a$$x$$', '$$x$$b', '$$x\ny$$', '`$$x$$`', '$$_x$$', 'costs $$5 or $$6'])(
    '%j is none',
    (content) => {
      expect(html(content)).not.toContain('katex')
    },
  )
})

describe('a block of mathematics', () => {
  test('is displayed, each formula by itself in one paragraph', () => {
    const rendered = html('```math\n\\frac{1}{2}\n\n\nx\ny\n\n\\nope\n```')

    expect(rendered).toMatch(/^<p><span class="katex-display"><span class="katex">.*<\/p>$/s)
    expect(rendered.match(/<\/span>\n\n<span class="(?:katex-display|tex-error)">/g)).toHaveLength(2)
    expect(rendered).toMatch(/<span class="tex-error">\\nope<\/span><\/p>$/)
  })

  test('keeps the source of each formula, without line ends around it', () => {
    const sources = [...html('```math\n\na\nb\n\nc\n\n```').matchAll(/x-tex">(.*?)<\/annotation>/gs)]

    expect(sources.map(([, tex]) => tex)).toEqual(['a\nb', 'c'])
  })

  test('shows nothing if it is empty', () => {
    expect(html('```math\n\n```')).toBe('')
  })

  test('can neither link nor style nor run anything', () => {
    const hostile = [
      '\\href{javascript:alert(1)}{x}',
      '\\htmlStyle{color:red}{x}',
      '\\includegraphics{https://e.com/a.png}',
    ]
    for (const tex of hostile) expect(html(`$$${tex}$$`)).not.toMatch(/<a |<img|color:red"|href=/)
  })

  test.each([
    ['braces without end', '{'.repeat(5_000)],
    ['roots of roots', '\\sqrt{'.repeat(1_000) + '}'.repeat(1_000)],
    ['commands that multiply', `\\def\\a{${'x'.repeat(5_000)}}${'\\a'.repeat(50)}`],
    ['commands that call themselves', '\\def\\a{\\a\\a}\\a'],
  ])('%s are an error, soon', (_, tex) => {
    const before = process.cpuUsage()

    expect(html('```math\n' + tex + '\n```')).toContain('tex-error')
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})
