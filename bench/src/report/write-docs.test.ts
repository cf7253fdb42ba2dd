import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BLOCK_END, blockMarks, replaceBlock } from './write-docs.ts'

test('replaces only the text between the marks of a block', () => {
  const { whole, replicated } = blockMarks
  const other = `${whole}\nother\n${BLOCK_END}`
  const document = `# Figures\n${other}\n${replicated}\nold\n${BLOCK_END}\nThe end.`

  const once = replaceBlock(document, 'replicated', 'new')

  expect(once).toBe(`# Figures\n${other}\n${replicated}\n\nnew\n\n${BLOCK_END}\nThe end.`)
  expect(replaceBlock(once, 'replicated', 'new')).toBe(once)
  expect(() => replaceBlock('# Figures', 'whole', 'new')).toThrow('no marked block')
})

test('finds the marks in docs/performance.md', () => {
  const document = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')

  for (const block of ['whole', 'replicated'] as const)
    expect(replaceBlock(document, block, 'figures')).toContain('figures')
})
