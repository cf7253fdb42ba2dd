import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html
/** The cells of the body, row by row, and nothing else of a table. */
const body = (content: string) =>
  [...html(content).matchAll(/<tr>\n(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = '']) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell))

describe('a table', () => {
  test('is written as clients read it, with its alignments', () => {
    expect(html('| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | **3** | 4 |')).toBe(
      '<table>\n<thead>\n<tr>\n' +
        '<th>a</th>\n<th style="text-align: left;">b</th>\n' +
        '<th style="text-align: center;">c</th>\n<th style="text-align: right;">d</th>\n' +
        '</tr>\n</thead>\n<tbody>\n<tr>\n' +
        '<td>1</td>\n<td style="text-align: left;">2</td>\n' +
        '<td style="text-align: center;"><strong>3</strong></td>\n<td style="text-align: right;">4</td>\n' +
        '</tr>\n</tbody>\n</table>',
    )
  })

  test('without rows has a body with an empty one', () => {
    expect(html('|a|b|\n|-|-|')).toContain('<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table>')
  })

  test.each([
    ['needs no pipes at its sides', 'a | b\n--|--\n1 | 2', [['1', '2']]],
    ['may have one column', '| a |\n|---|\n| 1 |\n2', [['1'], ['2']]],
    [
      'gets missing cells, and loses surplus ones',
      'a|b\n-|-\n1\n1|2|3',
      [
        ['1', ''],
        ['1', '2'],
      ],
    ],
    ['may have empty cells', '|a|b|\n|-|-|\n||2|', [['', '2']]],
    ['ends at an empty line', 'a|b\n-|-\n1|2\n\n3|4', [['1', '2']]],
    ['ends where another block begins', 'a|b\n-|-\n1|2\n- 3|4', [['1', '2']]],
  ])('%s', (_, content, expected) => {
    expect(body(content)).toEqual(expected)
  })

  test.each(['a | b', 'a | b\n- | -', 'a | b\n---', 'a\n---\nb', 'a | b\n--- | x', '    a|b\n    -|-'])(
    '%j is none',
    (content) => {
      expect(html(content)).not.toContain('<table>')
    },
  )

  test('stays text if its filled-up cells would be too many', () => {
    const wide = `${'a|'.repeat(200)}\n${'-|'.repeat(200)}\n${'x\n'.repeat(60)}`

    expect(html(wide)).not.toContain('<table>')
    expect(html(`|a|\n|-|\n|x|\n\n${wide}`).match(/<table>/g)).toHaveLength(1)
  })
})

describe('a pipe in a cell', () => {
  test.each([
    ['in code is part of it', '`x|y` | 2', ['<code>x|y</code>', '2']],
    ['in code with backticks is part of it', '``x|`|y`` | 2', ['<code>x|`|y</code>', '2']],
    ['may have a backslash in code', '`x\\|y` | 2', ['<code>x|y</code>', '2']],
    ['has a backslash in text', 'x\\|y | 2', ['x|y', '2']],
    ['divides after a backtick that has no other', '`x | y', ['`x', 'y']],
    ['divides after backticks of different lengths', '`x | y``', ['`x', 'y``']],
    ['divides between two pieces of code', '`x` | `y`', ['<code>x</code>', '<code>y</code>']],
  ])('%s', (_, row, expected) => {
    expect(body(`a|b\n-|-\n${row}`)).toEqual([expected])
  })
})
