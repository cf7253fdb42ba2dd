import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type ExportPart, exportedFile, type RecordCounts, recordsBegin, recordsEnd } from '@tms/contracts'
import { readLines } from '@tms/service-kit'

/** A part's records on a local disk: an archive needs their size before their content. */
export interface SpooledPart {
  /** The records without their first line, as they are written to the archive. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly counts: RecordCounts
  /** The keys of the part's files, one a line. */
  readonly keysPath: string
}

interface Progress {
  /** Called once, with about how many records there will be. */
  readonly expect: (records: number) => void
  /** Called for every record that was read. */
  readonly advance: () => void
}

/** No other record's line begins with this: all have their kind first. */
const beginningOf = (kind: string) => `{"kind":"${kind}"`
const BEGIN = beginningOf(recordsBegin.shape.kind.value)
const END = beginningOf(recordsEnd.shape.kind.value)
const FILE = beginningOf(exportedFile.shape.kind.value)

/** Writes a service's records to a folder. Throws if they break off before their end. */
export async function spoolPart(
  part: ExportPart,
  content: AsyncIterable<Uint8Array>,
  folder: string,
  { expect, advance }: Progress,
): Promise<SpooledPart> {
  const path = join(folder, `${part}.ndjson`)
  const keysPath = join(folder, `${part}.keys`)
  const hash = createHash('sha256')
  const [records, keys] = [openFile(path), openFile(keysPath)]
  let bytes = 0
  let counts: RecordCounts | null = null
  try {
    for await (const line of readLines(content)) {
      if (line.startsWith(BEGIN)) {
        expect(recordsBegin.parse(JSON.parse(line)).records)
        continue
      }
      const text = Buffer.from(`${line}\n`)
      hash.update(text)
      bytes += text.length
      await write(records, text)
      if (line.startsWith(END)) counts = recordsEnd.parse(JSON.parse(line)).counts
      else advance()
      if (line.startsWith(FILE))
        await write(keys, Buffer.from(`${exportedFile.parse(JSON.parse(line)).key}\n`))
    }
    if (counts === null) throw new Error(`the records of ${part} broke off`)
    return { path, keysPath, bytes, sha256: hash.digest('hex'), counts }
  } finally {
    await Promise.all([close(records), close(keys)])
  }
}

function openFile(path: string): WriteStream {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  // The next write, or the end, reports the error.
  file.on('error', () => {})
  return file
}

async function write(file: WriteStream, bytes: Uint8Array): Promise<void> {
  if (file.errored) throw file.errored
  if (!file.write(bytes)) await once(file, 'drain')
}

async function close(file: WriteStream): Promise<void> {
  file.end()
  await finished(file)
}
