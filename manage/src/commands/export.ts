import { accessSync, constants, createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ArchiveManifest, type ExportScope, exportCallsOf, exportScope } from '@tms/contracts'
import { type ArchiveSource, packArchive } from '@tms/export-archive'
import type { InternalStreams } from '@tms/service-kit'
import { type Command, Option } from 'commander'
import { renderBytes, startProgressLine } from '../archives/progress-line.ts'
import { Refusal } from '../failures.ts'
import type { Interruption } from '../interruption.ts'
import { calledOf, getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf, streamsOf } from '../services.ts'
import { renderFacts } from '../table.ts'
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
    const work = writeArchive({ streams, terminal, interruption, path, scope }, { id, string_id, name, url })
    interruption.outlast(work)
    return work
  })
}

/** Throws unless a file can be made here, before minutes are spent on what goes into it. */
function checkPlace(path: string): void {
  if (existsSync(path)) throw new Refusal(`${path} exists already`)
  const folder = dirname(path)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Refusal(`There is no folder ${folder}`)
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Refusal(`Nothing may be written to ${folder}`)
  }
}

interface Task {
  readonly streams: InternalStreams
  readonly terminal: Terminal
  readonly interruption: Interruption
  readonly path: string
  readonly scope: ExportScope
}

async function writeArchive(
  { streams, terminal, interruption: { signal }, path, scope }: Task,
  organization: ArchiveManifest['organization'],
): Promise<Result> {
  const line = startProgressLine(terminal)
  const partial = `${path}.partial`
  const archive = await packArchive({
    source: sourceOf(streams, organization.id, scope, signal),
    organization,
    scope,
    time: new Date(),
    spoolFolder: dirname(path),
    signal,
    onProgress: ({ done, total }) => line.show(`Exported ${done} of about ${total} records and files`),
  }).finally(() => line.end())
  try {
    await pipeline(archive.content(), createWriteStream(partial, { mode: 0o600 }), { signal })
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
    await archive.remove()
  }
  const { manifest, size } = archive
  const counts = Object.values(manifest.parts).flatMap((part) => Object.entries(part.counts))
  return {
    json: { file: path, size, manifest },
    text: renderFacts([['Archive', path], ['Size', renderBytes(size)], ...counts]),
  }
}

function sourceOf(
  streams: InternalStreams,
  realm_id: number,
  scope: ExportScope,
  signal: AbortSignal,
): ArchiveSource {
  return {
    records: async (part) => {
      const { exportRecords } = exportCallsOf(part)
      return (await streams.download(exportRecords, { realm_id, scope }, { signal })).content
    },
    file: async (part, key) => {
      const { exportFile } = exportCallsOf(part)
      const { content, size } = await streams.download(exportFile, { realm_id, key }, { signal })
      if (size === null) throw new Refusal(`${part} does not say the size of ${key}`)
      return { content, size }
    },
  }
}
