import { readFileSync, writeFileSync } from 'node:fs'

export const BLOCK_START = '<!-- npm run bench -- --write-docs: what stands from here -->'
export const BLOCK_END = '<!-- … to here is replaced by each such run -->'

/** The document with the text between the two marks replaced. Throws when a mark is missing. */
export function replaceBlock(document: string, text: string): string {
  const start = document.indexOf(BLOCK_START)
  const end = document.indexOf(BLOCK_END)
  if (start < 0 || end < start) throw new Error('the document has no marked block for the figures')
  return `${document.slice(0, start + BLOCK_START.length)}\n\n${text}\n\n${document.slice(end)}`
}

export function writeBlock(path: string, text: string): void {
  writeFileSync(path, replaceBlock(readFileSync(path, 'utf8'), text))
}
