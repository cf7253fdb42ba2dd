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
import { rethrowStreamError } from '../archives/stream-error.ts'
import { CommandError } from '../kernel/errors.ts'
import { formatSubdomain, getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller, createServiceStreams } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { type ProgressLine, renderBytes, startProgressLine } from '../terminal/progress-line.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly scope: ExportScope
  readonly output?: string
}

export function addExport(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('export')
    .description('export an organization to an archive (format: docs/exports.md)')
    .argument('<organization>', ORGANIZATION_HELP)
    .addOption(
      new Option(
        '--scope <scope>',
        'public: data that every member can see; consent: also of users who agreed; full: everything',
      )
        .choices(exportScope.options)
        .default('full'),
    )
    .option('--output <file>', 'archive file (default: <organization>.tar.gz)')
  registerAction<Options>(command, terminal, async ([organizationName = ''], { scope, output }) => {
    const path = resolve(
      output ?? `${organizationName === formatSubdomain('') ? 'organization' : organizationName}.tar.gz`,
    )
    checkOutputPath(path)
    const call = createServiceCaller(terminal.env, ['realm'])
    const streams = createServiceStreams(terminal.env)
    const { realm_id: id, string_id, name, url } = await getOrganization(call, organizationName)
    // Beside the archive, so that renaming the finished file is atomic. No await before writeArchive, which removes the folder.
    const folder = mkdtempSync(join(dirname(path), 'export-'))
    const task = { streams, terminal, interruption, folder, path, scope }
    const work = writeArchive(task, { id, string_id, name, url })
    interruption.finishBeforeExit(work, `the incomplete export remains in ${folder}, which can be deleted.`)
    return work
  })
}

/** Throws unless the archive can be created, before minutes are spent on its content. */
function checkOutputPath(path: string): void {
  if (existsSync(path)) throw new CommandError(`${path} exists already`)
  const folder = dirname(path)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`There is no folder ${folder}`)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new CommandError(`The folder ${folder} is not writable`)
  }
}

interface Task {
  readonly streams: InternalStreams
  readonly terminal: Terminal
  readonly interruption: Interruption
  /** For temporary files; removed at the end. */
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
      source: createArchiveSource(streams, organization.id, scope, signal),
      organization,
      scope,
      time: new Date(),
      spoolFolder: folder,
      signal,
      onProgress: ({ done, total }) => line.show(`Exported ${done} of about ${total} records and files`),
    })
    const finishedFile = join(folder, 'archive.tar.gz')
    await pipeline(withProgress(archive, line), createWriteStream(finishedFile, { mode: 0o600 }), { signal })
    await rename(finishedFile, path)
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

/** The archive's bytes, with progress reports. */
async function* withProgress({ content, size }: PackedArchive, line: ProgressLine): AsyncGenerator<Buffer> {
  let written = 0
  for await (const chunk of content() as AsyncIterable<Buffer>) {
    yield chunk
    written += chunk.length
    line.show(`Wrote ${renderBytes(written)} of ${renderBytes(size)}`)
  }
}

function createArchiveSource(
  streams: InternalStreams,
  realm_id: number,
  scope: ExportScope,
  signal: AbortSignal,
): ArchiveSource {
  const rethrowFor = (part: ExportPart) => rethrowStreamError(part, signal)
  async function* withStreamErrors(
    part: ExportPart,
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* content
    } catch (err) {
      rethrowFor(part)(err)
    }
  }
  return {
    records: async (part) => {
      const { exportRecords } = exportCallsOf(part)
      const answer = await streams
        .download(exportRecords, { realm_id, scope }, { signal })
        .catch(rethrowFor(part))
      return withStreamErrors(part, answer.content)
    },
    file: async (part, key) => {
      const { exportFile } = exportCallsOf(part)
      const { content, size } = await streams
        .download(exportFile, { realm_id, key }, { signal })
        .catch(rethrowFor(part))
      if (size === null) throw new CommandError(`${part} does not say the size of ${key}`)
      return { content: withStreamErrors(part, content), size }
    },
  }
}
