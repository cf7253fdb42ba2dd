import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the documents have the figures of a kind of run. */
export const blockMarks = {
  whole: '<!-- npm run bench -- --write-docs: what stands from here -->',
  replicated: '<!-- npm run bench -- --only handover,scale --write-docs: what stands from here -->',
} as const
export const BLOCK_END = '<!-- … to here is replaced by each such run -->'
export type Block = keyof typeof blockMarks

/** Returns the document with a new text between the two marks of a block. Throws if a mark is missing. */
export function replaceBlock(document: string, block: Block, text: string): string {
  const mark = blockMarks[block]
  const start = document.indexOf(mark)
  const end = document.indexOf(BLOCK_END, start)
  if (start < 0 || end < start) throw new Error('the document has no marked block for the figures')
  return `${document.slice(0, start + mark.length)}\n\n${text}\n\n${document.slice(end)}`
}

/** Replaces a block in a file of the checkout, and formats the file. */
export function writeBlock(repoRoot: string, path: string, block: Block, text: string): void {
  const file = join(repoRoot, path)
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), block, text))
  const { status, stderr } = spawnSync(
    join(repoRoot, 'node_modules', '.bin', 'biome'),
    ['format', '--write', path],
    { cwd: repoRoot, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${path} could not be formatted: ${stderr}`)
}
