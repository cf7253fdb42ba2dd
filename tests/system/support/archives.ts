import { createHash } from 'node:crypto'
import { readArchive } from '@tms/export-archive'

/** The contents of an archive, for comparison: the lines of each part, and checksums of its files by name. */
export interface ArchiveContents {
  readonly lines: Readonly<Record<string, readonly string[]>>
  readonly files: Readonly<Record<string, string>>
}

/** Reads a whole archive of a small organization. */
export async function contentsOf(path: string): Promise<ArchiveContents> {
  const lines: Record<string, string[]> = {}
  const files: Record<string, string> = {}
  for await (const entry of readArchive(path)) {
    if (entry.kind === 'manifest') continue
    const chunks: Buffer[] = []
    for await (const chunk of entry.content) chunks.push(chunk as Buffer)
    const content = Buffer.concat(chunks)
    if (entry.kind === 'records') lines[entry.part] = content.toString().trimEnd().split('\n')
    else files[`${entry.part}/${entry.key}`] = createHash('sha256').update(content).digest('hex')
  }
  return { lines, files }
}
