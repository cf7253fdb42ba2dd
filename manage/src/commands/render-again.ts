import { setTimeout as sleep } from 'node:timers/promises'
import { internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { startProgressLine } from '../archives/progress-line.ts'
import { UnavailableError, UsageError } from '../failures.ts'
import type { Interruption } from '../interruption.ts'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Result, type Terminal } from '../tools.ts'

interface Options {
  readonly after: string
}

/** How far it is. */
interface Progress {
  last_id: number
  up_to: number | null
  unchanged: number
  changed: number
  failed: number
}

/** Where messaging has too much to render for people, it is asked again after this, so many times in a row. */
const BUSY_MS = 1_000
const MAX_BUSY = 60

export function addRenderAgain(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('render-again')
    .description(
      'render stored messages again as texts are rendered now, after an upgrade that changed that; while the system runs. An interruption says how to go on',
    )
    .argument('[organization]', `${ORGANIZATION}; all organizations if left out`)
    .option('--after <message ID>', 'begin after this message', '0')
  answerWith<Options>(command, terminal, async ([called], { after }) => {
    if (!/^\d{1,15}$/.test(after)) throw new UsageError(`--after: '${after}' is no ID of a message`)
    const call = callerOf(terminal.env, ['realm', 'messaging'])
    const realmId = called === undefined ? null : (await getOrganization(call, called)).realm_id
    const progress: Progress = { last_id: Number(after), up_to: null, unchanged: 0, changed: 0, failed: 0 }
    const goingOn = () =>
      `To go on: render-again${called === undefined ? '' : ` ${called}`} --after ${progress.last_id}`
    const work = renderAll(call, realmId, progress, terminal, interruption.signal)
    // What is asked for is done within seconds.
    interruption.outlast(work, null)
    try {
      await work
    } catch (err) {
      terminal.stderr.write(`${goingOn()}\n`)
      throw err
    }
    return resultOf(progress, interruption.signal.aborted, goingOn())
  })
}

/** Until all is done or it is interrupted. */
async function renderAll(
  call: InternalClient,
  realm_id: number | null,
  progress: Progress,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const line = startProgressLine(terminal)
  try {
    for (let busy = 0; !signal.aborted && isUnfinished(progress); ) {
      const { last_id: after, up_to } = progress
      const done = await call(internal.messaging.renderAgain, { realm_id, after, up_to })
      busy = done.last_id > after ? 0 : busy + 1
      if (busy > MAX_BUSY) throw new UnavailableError('messaging has too much to render')
      progress.last_id = done.last_id
      progress.up_to = done.up_to
      for (const count of ['unchanged', 'changed', 'failed'] as const) progress[count] += done[count]
      line.show(inWords(progress))
      if (busy > 0 && isUnfinished(progress)) await sleep(BUSY_MS)
    }
  } finally {
    line.end()
  }
}

const isUnfinished = ({ last_id, up_to }: Progress) => up_to === null || last_id < up_to

function inWords({ last_id, up_to, unchanged, changed, failed }: Progress): string {
  const percent = up_to ? Math.floor((last_id / up_to) * 100) : 100
  const counts = `${unchanged + changed + failed} messages looked at, ${changed} changed`
  return `${percent} %: ${counts}, up to message ${last_id} of ${up_to}`
}

function resultOf(progress: Progress, isCut: boolean, goingOn: string): Result {
  const { last_id, unchanged, changed, failed } = progress
  const isWhole = !isUnfinished(progress)
  const facts: [string, string | number][] = [
    ['Changed', changed],
    ['As they were', unchanged],
    ['Not to be rendered', failed],
    ['Up to message', last_id],
  ]
  return {
    json: { ...progress, is_whole: isWhole },
    text: isWhole ? renderDetails(facts) : `${renderDetails(facts)}\n${goingOn}`,
    isCut: isCut && !isWhole,
  }
}
