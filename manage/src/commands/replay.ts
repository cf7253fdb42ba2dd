import { setTimeout as sleep } from 'node:timers/promises'
import { internal, type ReplayStart, type ReplayStatus } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { CommandError, UsageError } from '../failures.ts'
import { describeProjections, type Keeper, keepers, progressOf } from '../projections.ts'
import { callerOf } from '../services.ts'
import { renderTable } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

interface Options {
  readonly from: string
  readonly service?: string
  readonly wait: boolean
}

/** Between looks how far it is: soon enough for who watches, seldom enough for the broker, which is asked each time. */
const POLL_MS = 500

export function addReplay(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .description(
      'have services compare what they keep of the facts of others with what these are, and put it right',
    )
    .option(
      '--from <where>',
      '"all": everything; else what the stream of facts tells of since an offset, a time (as 2026-11-22T05:00:00Z) or "first", its oldest entry',
      'all',
    )
    .option('--service <name>', `only one: ${keepers.join(' or ')}`)
    .option('--no-wait', 'do not wait until it is done; projections tells how far it is')
  answerWith<Options>(command, terminal, async (_, { from, service, wait }) => {
    const start = startOf(from)
    const chosen = keepers.filter((keeper) => keeper === (service ?? keeper))
    if (chosen.length === 0)
      throw new UsageError(`${service} keeps no facts of others: ${keepers.join(' or ')}`)
    const call = callerOf(terminal.env, chosen)
    const services = await Promise.all(
      chosen.map(async (keeper) => {
        const { replay } = await call(internal[keeper].replayProjections, { from: start })
        return { service: keeper, replay: wait ? await untilDone(call, keeper, replay, terminal) : replay }
      }),
    )
    const rows = services.map((one) => [one.service, progressOf(one.replay)])
    return { json: { services }, text: renderTable(['SERVICE', 'REPLAY'], rows) }
  })
}

/** Tells how far it is whenever that changes. */
async function untilDone(
  call: InternalClient,
  service: Keeper,
  begun: ReplayStatus,
  { stderr }: Terminal,
): Promise<ReplayStatus> {
  for (let told = ''; ; await sleep(POLL_MS)) {
    const { replay } = await describeProjections(call, service)
    if (replay?.id !== begun.id) throw new CommandError(`${service}: someone else has begun another replay`)
    if (replay.finished_at !== null) return replay
    const progress = progressOf(replay)
    if (progress !== told) stderr.write(`${service}: ${progress}\n`)
    told = progress
  }
}

function startOf(text: string): ReplayStart {
  if (text === 'all' || text === 'first') return text
  if (/^\d{1,15}$/.test(text)) return { offset: Number(text) }
  const time = Math.floor(Date.parse(text) / 1000)
  if (Number.isNaN(time))
    throw new UsageError(`--from: '${text}' is no offset, no time, not "all" and not "first"`)
  if (time < 0 || time * 1000 > Date.now()) throw new UsageError(`--from: ${text} is not in the past`)
  return { time }
}
