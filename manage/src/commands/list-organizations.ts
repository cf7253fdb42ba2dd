import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { type Deletion, listDeletions } from '../services/deletions.ts'
import { formatSubdomain } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

export function addListOrganizations(program: Command, terminal: Terminal): void {
  const command = program.command('list-organizations').description('list all organizations')
  registerAction(command, terminal, async () => {
    const call = createServiceCaller(terminal.env, ['realm'])
    const { realms } = await call(internal.realm.listRealmProjections, {})
    const deletions = new Map((await listDeletions(call)).map((one) => [one.realm_id, one]))
    const organizations = realms.map(({ realm_id, string_id, name, url, is_active }) => ({
      id: realm_id,
      subdomain: string_id,
      name,
      url,
      is_active,
      delete_at: deletions.get(realm_id)?.delete_at ?? null,
    }))
    const rows = organizations.map(({ id, subdomain, name, url, is_active }) => [
      id,
      formatSubdomain(subdomain),
      name,
      url,
      is_active ? 'yes' : 'no',
      formatDeletion(deletions.get(id)),
    ])
    return {
      json: { organizations },
      text: renderTable(['ID', 'SUBDOMAIN', 'NAME', 'URL', 'ACTIVE', 'DELETION'], rows),
    }
  })
}

/** Whether an organization will be deleted, or is being deleted. */
function formatDeletion(deletion: Deletion | undefined): string {
  if (!deletion) return ''
  return deletion.is_begun ? 'running' : new Date(deletion.delete_at * 1_000).toISOString()
}
