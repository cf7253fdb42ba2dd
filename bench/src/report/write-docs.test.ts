import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { BLOCK_END, BLOCK_START, replaceBlock } from './write-docs.ts'

test('only what stands between the marks is replaced', () => {
  const document = `# Figures\n${BLOCK_START}\nold\n${BLOCK_END}\nThe end.`

  const once = replaceBlock(document, 'new')

  expect(once).toBe(`# Figures\n${BLOCK_START}\n\nnew\n\n${BLOCK_END}\nThe end.`)
  expect(replaceBlock(once, 'new')).toBe(once)
  expect(() => replaceBlock('# Figures', 'new')).toThrow('no marked block')
})

test('docs/performance.md has the marks', () => {
  const document = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')

  expect(replaceBlock(document, 'figures')).toContain('figures')
})
