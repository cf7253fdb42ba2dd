import { accessSync, constants, createWriteStream, existsSync, mkdtempSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type ArchiveManifest,
  type ExportPart,
  type ExportScope,
  exportCallsOf,
  exportScope,
} from '@tms/contracts'
import { type ArchiveSource, type PackedArchive, packArchive } from '@tms/export-archive'
import type { InternalStreams } from '@tms/service-kit'
import { type Command, Option } from 'commander'
import { throwBrokenOff } from '../archives/broken-off.ts'
import { type ProgressLine, renderBytes, startProgressLine } from '../archives/progress-line.ts'
import { CommandError } from '../failures.ts'
import type { Interruption } from '../interruption.ts'
import { calledOf, getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf, streamsOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Result, type Terminal } from '../tools.ts'

interface Options {
  readonly scope: ExportScope
  readonly output?: string
}

export function addExport(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('export')
    .description('write an organization into an archive (its format: docs/exports.md)')
    .argument('<organization>', ORGANIZATION)
    .addOption(
      new Option('--scope <scope>', 'public: what everyone in it can see; full: everything')
        .choices(exportScope.options)
        .default('full'),
    )
    .option('--output <file>', 'the archive (default: <organization>.tar.gz)')
  answerWith<Options>(command, terminal, async ([called = ''], { scope, output }) => {
    const path = resolve(output ?? `${called === calledOf('') ? 'organization' : called}.tar.gz`)
    checkPlace(path)
    const call = callerOf(terminal.env, ['realm'])
    const streams = streamsOf(terminal.env)
    const { realm_id: id, string_id, name, url } = await getOrganization(call, called)
    // Beside the archive, so that it is there at once when it is whole; nothing comes between this and who takes it away.
    const folder = mkdtempSync(join(dirname(path), 'export-'))
    const task = { streams, terminal, interruption, folder, path, scope }
    const work = writeArchive(task, { id, string_id, name, url })
    interruption.outlast(work, `what the export has got so far stays in ${folder}, which can be deleted.`)
    return work
  })
}

/** Throws unless a file can be made here, before minutes are spent on what goes into it. */
function checkPlace(path: string): void {
  if (existsSync(path)) throw new CommandError(`${path} exists already`)
  const folder = dirname(path)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`There is no folder ${folder}`)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new CommandError(`Nothing may be written to ${folder}`)
  }
}

interface Task {
  readonly streams: InternalStreams
  readonly terminal: Terminal
  readonly interruption: Interruption
  /** Where what it is made of waits; taken away in the end. */
  readonly folder: string
  readonly path: string
  readonly scope: ExportScope
}

async function writeArchive(
  { streams, terminal, interruption: { signal }, folder, path, scope }: Task,
  organization: ArchiveManifest['organization'],
): Promise<Result> {
  const line = startProgressLine(terminal)
  try {
    const archive = await packArchive({
      source: sourceOf(streams, organization.id, scope, signal),
      organization,
      scope,
      time: new Date(),
      spoolFolder: folder,
      signal,
      onProgress: ({ done, total }) => line.show(`Exported ${done} of about ${total} records and files`),
    })
    const whole = join(folder, 'archive.tar.gz')
    await pipeline(watched(archive, line), createWriteStream(whole, { mode: 0o600 }), { signal })
    await rename(whole, path)
    const { manifest, size } = archive
    const counts = Object.values(manifest.parts).flatMap((part) => Object.entries(part.counts))
    return {
      json: { file: path, size, manifest },
      text: renderDetails([['Archive', path], ['Size', renderBytes(size)], ...counts]),
    }
  } finally {
    line.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The archive's bytes, and how far they are. */
async function* watched({ content, size }: PackedArchive, line: ProgressLine): AsyncGenerator<Buffer> {
  let written = 0
  for await (const chunk of content() as AsyncIterable<Buffer>) {
    yield chunk
    written += chunk.length
    line.show(`Wrote ${renderBytes(written)} of ${renderBytes(size)}`)
  }
}

function sourceOf(
  streams: InternalStreams,
  realm_id: number,
  scope: ExportScope,
  signal: AbortSignal,
): ArchiveSource {
  const throwTold = (part: ExportPart) => throwBrokenOff(part, signal)
  async function* told(part: ExportPart, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* content
    } catch (err) {
      throwTold(part)(err)
    }
  }
  return {
    records: async (part) => {
      const { exportRecords } = exportCallsOf(part)
      const answer = await streams
        .download(exportRecords, { realm_id, scope }, { signal })
        .catch(throwTold(part))
      return told(part, answer.content)
    },
    file: async (part, key) => {
      const { exportFile } = exportCallsOf(part)
      const { content, size } = await streams
        .download(exportFile, { realm_id, key }, { signal })
        .catch(throwTold(part))
      if (size === null) throw new CommandError(`${part} does not say the size of ${key}`)
      return { content: told(part, content), size }
    },
  }
}
