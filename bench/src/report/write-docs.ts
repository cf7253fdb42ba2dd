import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const BLOCK_START = '<!-- npm run bench -- --write-docs: what stands from here -->'
export const BLOCK_END = '<!-- … to here is replaced by each such run -->'

/** The document with the text between the two marks replaced. Throws when a mark is missing. */
export function replaceBlock(document: string, text: string): string {
  const start = document.indexOf(BLOCK_START)
  const end = document.indexOf(BLOCK_END)
  if (start < 0 || end < start) throw new Error('the document has no marked block for the figures')
  return `${document.slice(0, start + BLOCK_START.length)}\n\n${text}\n\n${document.slice(end)}`
}

/** Replaces the block in a file of the checkout, which is then formatted as everything else in it. */
export function writeBlock(repoRoot: string, path: string, text: string): void {
  const file = join(repoRoot, path)
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), text))
  const { status, stderr } = spawnSync(
    join(repoRoot, 'node_modules', '.bin', 'biome'),
    ['format', '--write', path],
    { cwd: repoRoot, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${path} could not be formatted: ${stderr}`)
}
