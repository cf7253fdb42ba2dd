import { setTimeout as sleep } from 'node:timers/promises'
import { internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { UnavailableError, UsageError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { startProgressLine } from '../terminal/progress-line.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly after: string
}

/** Progress so far. */
interface Progress {
  last_id: number
  up_to: number | null
  unchanged: number
  changed: number
  failed: number
}

/** If messaging is busy rendering for users, the command retries after this time, up to so many times in a row. */
const BUSY_MS = 1_000
const MAX_BUSY = 60

export function addRenderAgain(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('render-again')
    .description(
      'render stored messages again, after an upgrade that changed rendering; the system keeps running. Ctrl-C prints how to continue',
    )
    .argument('[organization]', `${ORGANIZATION_HELP}; all organizations by default`)
    .option('--after <message ID>', 'start after the message with this ID', '0')
  registerAction<Options>(command, terminal, async ([organizationName], { after }) => {
    if (!/^\d{1,15}$/.test(after)) throw new UsageError(`--after: '${after}' is not a message ID`)
    const call = createServiceCaller(terminal.env, ['realm', 'messaging'])
    const realmId =
      organizationName === undefined ? null : (await getOrganization(call, organizationName)).realm_id
    const progress: Progress = { last_id: Number(after), up_to: null, unchanged: 0, changed: 0, failed: 0 }
    const formatResumeHint = () =>
      `To continue: render-again${organizationName === undefined ? '' : ` ${organizationName}`} --after ${progress.last_id}`
    const work = renderAllAgain(call, realmId, progress, terminal, interruption.signal)
    // A batch takes seconds.
    interruption.finishBeforeExit(work, null)
    try {
      await work
    } catch (err) {
      terminal.stderr.write(`${formatResumeHint()}\n`)
      throw err
    }
    return createResult(progress, interruption.signal.aborted, formatResumeHint())
  })
}

/** Renders batches until all are done or the command is interrupted. */
async function renderAllAgain(
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
      if (busy > MAX_BUSY) throw new UnavailableError('messaging is too busy to render')
      progress.last_id = done.last_id
      progress.up_to = done.up_to
      for (const count of ['unchanged', 'changed', 'failed'] as const) progress[count] += done[count]
      line.show(formatProgress(progress))
      if (busy > 0 && isUnfinished(progress)) await sleep(BUSY_MS)
    }
  } finally {
    line.end()
  }
}

const isUnfinished = ({ last_id, up_to }: Progress) => up_to === null || last_id < up_to

function formatProgress({ last_id, up_to, unchanged, changed, failed }: Progress): string {
  const percent = up_to ? Math.floor((last_id / up_to) * 100) : 100
  const counts = `${unchanged + changed + failed} messages checked, ${changed} changed`
  return `${percent} %: ${counts}, up to message ${last_id} of ${up_to}`
}

function createResult(progress: Progress, isPartial: boolean, resumeHint: string): Result {
  const { last_id, unchanged, changed, failed } = progress
  const isComplete = !isUnfinished(progress)
  const details: [string, string | number][] = [
    ['Changed', changed],
    ['Unchanged', unchanged],
    ['Failed', failed],
    ['Last message ID', last_id],
  ]
  return {
    json: { ...progress, is_whole: isComplete },
    text: isComplete ? renderDetails(details) : `${renderDetails(details)}\n${resumeHint}`,
    isPartial: isPartial && !isComplete,
  }
}
