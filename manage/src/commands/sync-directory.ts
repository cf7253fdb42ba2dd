import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

/** A directory of many thousand people takes minutes. */
const TIMEOUT_MS = 1_800_000

export function addSyncDirectory(program: Command, terminal: Terminal): void {
  const command = program
    .command('sync-directory')
    .description("bring an organization's accounts in line with its directory (LDAP) now")
    .argument('<organization>', ORGANIZATION_HELP)
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--force', 'deactivate accounts even if they are unusually many')
  registerAction<{ dryRun?: boolean; force?: boolean }>(
    command,
    terminal,
    async ([organizationName = ''], { dryRun = false, force = false }) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users'])
      const { realm_id } = await getOrganization(call, organizationName)
      const body = { realm_id, is_dry_run: dryRun, is_forced: force }
      const report = await call(internal.users.syncDirectory, body, { timeoutMs: TIMEOUT_MS })
      const { people, skipped, updated, reactivated, deactivated, kept, groups, unknown_groups } = report
      const list = (addresses: readonly string[]) => addresses.join(', ') || '–'
      return {
        json: { is_dry_run: dryRun, ...report },
        text: renderDetails([
          ['People in the directory', String(people)],
          ['Without an own address', String(skipped)],
          ['Changed', list(updated)],
          ['Reactivated', list(reactivated)],
          ['Deactivated', list(deactivated)],
          ['Not deactivated (only owner)', list(kept)],
          ['Changed groups', list(groups)],
          ['Groups that do not exist here', list(unknown_groups)],
        ]),
      }
    },
  )
}
