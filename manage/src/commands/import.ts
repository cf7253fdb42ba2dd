import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkArchive } from '@tms/export-archive'
import type { Command } from 'commander'
import { importArchive } from '../archives/import-archive.ts'
import { CommandError } from '../kernel/errors.ts'
import { ORGANIZATION_HELP, parseSubdomain } from '../services/organizations.ts'
import { createServiceCaller, createServiceStreams } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { renderBytes, startProgressLine } from '../terminal/progress-line.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly subdomain?: string
  readonly restart?: boolean
}

export function addImport(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('import')
    .description(
      'import an organization from an archive, completely or not at all; users then reset their passwords',
    )
    .argument('<file>', 'archive file')
    .option('--subdomain <subdomain>', `new name instead of the exported one: ${ORGANIZATION_HELP}`)
    .option('--restart', 'first remove what an import that was killed left behind')
  registerAction<Options>(command, terminal, async ([file = ''], options) => {
    const path = resolve(file)
    if (!existsSync(path)) throw new CommandError(`There is no file ${path}`)
    if (!statSync(path).isFile()) throw new CommandError(`${path} is not a file`)
    const work = run({ path, options, terminal, interruption })
    interruption.finishBeforeExit(work, 'the incomplete import stays hidden; import --restart removes it.')
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
  const call = createServiceCaller(terminal.env, ['realm'])
  const streams = createServiceStreams(terminal.env)
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
      subdomain: subdomain === undefined ? null : parseSubdomain(subdomain),
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
