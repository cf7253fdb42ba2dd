import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Announcement, announcement, internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { type Command, Option } from 'commander'
import { CommandError, getErrorMessage, UsageError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import { confirm, YES_HELP } from '../terminal/confirm.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { startProgressLine } from '../terminal/progress-line.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly subject: string
  readonly file: string
  readonly to: Announcement['audience']
  readonly dryRun?: true
  readonly yes?: true
}

/** More than a text that people read. */
const MAX_FILE_BYTES = 400_000
/** Lines of the text that the question shows. */
const SHOWN_LINES = 5
/** How long to wait while many mails are queued. */
const BUSY_MS = 1_000

export function addAnnounce(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('announce')
    .description(
      'mail a text of yours to the users of an organization who want announcements, once to each. Ctrl-C stops it; the same command continues, and goes to those who don’t have it yet',
    )
    .argument('<organization>', ORGANIZATION_HELP)
    .requiredOption('--subject <text>', 'subject of the mail')
    .requiredOption('--file <path>', 'its text: Markdown in a file .md, plain text in any other')
    .addOption(
      new Option('--to <users>', 'owners and administrators only, or everyone')
        .choices(['administrators', 'everyone'])
        .default('everyone'),
    )
    .option('--dry-run', 'print the mail, and how many users would get it')
    .option('--yes', YES_HELP)
  registerAction<Options>(command, terminal, async ([organizationName = ''], options) => {
    const written = await readAnnouncement(options)
    const call = createServiceCaller(terminal.env, ['realm', 'users'])
    const { realm_id, name } = await getOrganization(call, organizationName)
    const mail = { ...written, realm_id }
    const { text, ...counts } = await call(internal.users.describeAnnouncement, mail)
    if (options.dryRun)
      return {
        json: { is_dry_run: true, ...counts, text },
        text: `Subject: ${mail.subject}\n\n${text}\n${detailsOf([['Would get it', counts.recipients]], counts)}`,
      }
    if (counts.recipients > 0)
      await confirm(
        terminal,
        `${previewOf(mail)}\n\nMail this to ${counts.recipients} users of "${name}"?`,
        options.yes ?? false,
      )
    return queueAll(call, mail, counts, terminal, interruption.signal)
  })
}

/** Throws UsageError, CommandError. */
async function readAnnouncement({ subject, file, to }: Options): Promise<Omit<Announcement, 'realm_id'>> {
  const text = await readText(file)
  const parsed = announcement.omit({ realm_id: true }).safeParse({
    ...{ subject, text, audience: to },
    is_markdown: ['.md', '.markdown'].includes(extname(file).toLowerCase()),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`The ${issue?.path.join('.') || 'mail'} can't be sent: ${issue?.message}`)
}

/** The subject and the first lines, by which an operator sees that it is the right file. */
function previewOf({ subject, text }: Pick<Announcement, 'subject' | 'text'>): string {
  const lines = text.split(/\r?\n|\r/)
  const more = lines.length > SHOWN_LINES ? ['…'] : []
  return [`Subject: ${subject}`, '', ...lines.slice(0, SHOWN_LINES), ...more].join('\n')
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES)
      throw new Error('it has more than 400 KB, too much for a mail')
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (err) {
    throw new CommandError(`${file} can't be read: ${getErrorMessage(err)}`)
  }
}

interface Counts {
  readonly recipients: number
  readonly earlier: number
  readonly unwilling: number
}

/** Queues mails until all users have been gone through or the command is interrupted. */
async function queueAll(
  call: InternalClient,
  mail: Announcement,
  counts: Counts,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Result> {
  const line = startProgressLine(terminal)
  let queued = 0
  let after: number | null = 0
  try {
    while (after !== null && !signal.aborted) {
      const done: { queued: number; last_id: number | null; is_busy: boolean } = await call(
        internal.users.queueAnnouncement,
        { ...mail, after },
      )
      queued += done.queued
      after = done.last_id
      line.show(
        `${queued} of ${counts.recipients} mails queued${done.is_busy ? '; waiting for the mail server' : ''}`,
      )
      if (done.is_busy) await sleep(BUSY_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    line.end()
  }
  const isWhole = after === null
  const details = detailsOf([['Queued', queued]], counts)
  return {
    json: { is_dry_run: false, queued, ...counts, is_whole: isWhole },
    text: isWhole ? details : `${details}\nThe same command continues.`,
    isPartial: !isWhole,
  }
}

const detailsOf = (first: readonly [string, number][], { earlier, unwilling }: Counts): string =>
  renderDetails([...first, ['Have it already', earlier], ['Have turned announcements off', unwilling]])
