import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkArchive } from '@tms/export-archive'
import type { Command } from 'commander'
import { importArchive } from '../archives/import-archive.ts'
import { renderBytes, startProgressLine } from '../archives/progress-line.ts'
import { CommandError } from '../failures.ts'
import type { Interruption } from '../interruption.ts'
import { ORGANIZATION, subdomainIn } from '../organizations.ts'
import { callerOf, streamsOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Result, type Terminal } from '../tools.ts'

interface Options {
  readonly subdomain?: string
  readonly restart?: boolean
}

export function addImport(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('import')
    .description(
      'add an organization from an archive, whole or not at all; people then reset their passwords',
    )
    .argument('<file>', 'the archive')
    .option('--subdomain <subdomain>', `where it shall be, else where it was: ${ORGANIZATION}`)
    .option('--restart', 'take away first what an import that was killed has left')
  answerWith<Options>(command, terminal, async ([file = ''], options) => {
    const path = resolve(file)
    if (!existsSync(path)) throw new CommandError(`There is no file ${path}`)
    if (!statSync(path).isFile()) throw new CommandError(`${path} is no file`)
    const work = run({ path, options, terminal, interruption })
    interruption.outlast(work, 'what the import has begun stays hidden, and import --restart takes it away.')
    return work
  })
}

interface Task {
  readonly path: string
  readonly options: Options
  readonly terminal: Terminal
  readonly interruption: Interruption
}

async function run({ path, options, terminal, interruption: { signal } }: Task): Promise<Result> {
  const call = callerOf(terminal.env, ['realm'])
  const streams = streamsOf(terminal.env)
  const line = startProgressLine(terminal)
  try {
    let checked = 0
    const manifest = await checkArchive(path, (bytes) => {
      signal.throwIfAborted()
      checked += bytes
      line.show(`Checked ${renderBytes(checked)}`)
    })
    const { subdomain, restart: isRestart = false } = options
    const { url, counts } = await importArchive({
      path,
      manifest,
      subdomain: subdomain === undefined ? null : subdomainIn(subdomain),
      isRestart,
      call,
      streams,
      signal,
      onProgress: (text) => line.show(text),
    })
    const { id, name } = manifest.organization
    return {
      json: { organization: { id, name, url }, counts },
      text: renderDetails([['Organization', name], ['Address', url], ...Object.entries(counts)]),
    }
  } finally {
    line.end()
  }
}
