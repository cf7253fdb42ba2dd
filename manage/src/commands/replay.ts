import { setTimeout as sleep } from 'node:timers/promises'
import { internal, type ReplayStart, type ReplayStatus } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { CommandError, UsageError } from '../kernel/errors.ts'
import {
  formatReplay,
  getProjectionsStatus,
  type ProjectionService,
  projectionServices,
} from '../services/projections.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

interface Options {
  readonly from: string
  readonly service?: string
  readonly wait: boolean
}

/** Between two requests of the status: short for the operator, long for the broker, which each one queries. */
const POLL_MS = 500

export function addReplay(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .description('make services compare their projections with the source services, and repair differences')
    .option(
      '--from <where>',
      '"all" compares everything; an offset of the projection stream, a time (such as 2026-11-22T05:00:00Z) or "first" (its oldest entry) compares only what has changed since',
      'all',
    )
    .option('--service <name>', `only this service: ${projectionServices.join(' or ')}`)
    .option('--no-wait', 'do not wait for the end; the command "projections" shows the progress')
  registerAction<Options>(command, terminal, async (_, { from, service, wait }) => {
    const start = parseStart(from)
    const chosen = projectionServices.filter((name) => name === (service ?? name))
    if (chosen.length === 0)
      throw new UsageError(`${service} has no projections; use ${projectionServices.join(' or ')}`)
    const call = createServiceCaller(terminal.env, chosen)
    const services = await Promise.all(
      chosen.map(async (name) => {
        const { replay } = await call(internal[name].replayProjections, { from: start })
        return { service: name, replay: wait ? await waitForReplay(call, name, replay, terminal) : replay }
      }),
    )
    const rows = services.map((one) => [one.service, formatReplay(one.replay)])
    return { json: { services }, text: renderTable(['SERVICE', 'REPLAY'], rows) }
  })
}

/** Waits for the end of a replay, and prints its progress when that changes. */
async function waitForReplay(
  call: InternalClient,
  service: ProjectionService,
  started: ReplayStatus,
  { stderr }: Terminal,
): Promise<ReplayStatus> {
  for (let lastPrinted = ''; ; await sleep(POLL_MS)) {
    const { replay } = await getProjectionsStatus(call, service)
    if (replay?.id !== started.id) throw new CommandError(`${service}: another replay was started meanwhile`)
    if (replay.finished_at !== null) return replay
    const progress = formatReplay(replay)
    if (progress !== lastPrinted) stderr.write(`${service}: ${progress}\n`)
    lastPrinted = progress
  }
}

function parseStart(text: string): ReplayStart {
  if (text === 'all' || text === 'first') return text
  if (/^\d{1,15}$/.test(text)) return { offset: Number(text) }
  const time = Math.floor(Date.parse(text) / 1000)
  if (Number.isNaN(time)) throw new UsageError(`--from: '${text}' is not an offset, a time, "all" or "first"`)
  if (time < 0 || time * 1000 > Date.now()) throw new UsageError(`--from: ${text} is not in the past`)
  return { time }
}
