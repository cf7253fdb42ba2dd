import { setTimeout as sleep } from 'node:timers/promises'
import { internal, type RealmProjection } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { findDeletion } from '../services/deletions.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import { confirmByName } from '../terminal/confirm.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { startProgressLine } from '../terminal/progress-line.ts'

/** How often the progress is read. */
const POLL_MS = 500

export function addDeleteOrganization(
  program: Command,
  terminal: Terminal,
  interruption: Interruption,
): void {
  const command = program
    .command('delete-organization')
    .description(
      'delete an organization with all of its data, at once and for ever; export it before if somebody may need them. Ctrl-C ends the command, but not the deletion',
    )
    .argument('<organization>', ORGANIZATION_HELP)
    .option('--confirm <name>', 'name of the organization, instead of typing it')
  registerAction<{ confirm?: string }>(command, terminal, async ([organizationName = ''], options) => {
    const call = createServiceCaller(terminal.env, ['realm'])
    const organization = await getOrganization(call, organizationName)
    const running = await findDeletion(call, organization.realm_id)
    // Repeating the command shows how a deletion goes on.
    if (!running?.is_begun) {
      const { name, url } = organization
      await confirmByName(
        terminal,
        `Delete "${name}" at ${url}, with all users, messages and files? This can't be undone.`,
        name,
        options.confirm ?? null,
      )
      await call(internal.realm.deleteRealm, { realm_id: organization.realm_id })
    }
    return watchDeletion(call, organization, terminal, interruption.signal)
  })
}

/** Shows the progress of a deletion until it is finished or the command is interrupted. */
async function watchDeletion(
  call: InternalClient,
  { realm_id, string_id, name, url }: RealmProjection,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Result> {
  const line = startProgressLine(terminal)
  const finish = (isDeleted: boolean): Result => ({
    json: { organization: { id: realm_id, subdomain: string_id, name, url }, is_deleted: isDeleted },
    text: isDeleted
      ? `"${name}" at ${url} was deleted, with all of its data.`
      : `The deletion of "${name}" goes on; the same command shows its progress.`,
    isPartial: !isDeleted,
  })
  try {
    while (!signal.aborted) {
      const running = await findDeletion(call, realm_id)
      if (!running) return finish(true)
      line.show(`${running.deleted} rows and files deleted`)
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
    return finish(false)
  } finally {
    line.end()
  }
}
