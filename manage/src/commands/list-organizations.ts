import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { formatSubdomain } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

export function addListOrganizations(program: Command, terminal: Terminal): void {
  const command = program.command('list-organizations').description('list all organizations')
  registerAction(command, terminal, async () => {
    const { realms } = await createServiceCaller(terminal.env, ['realm'])(
      internal.realm.listRealmProjections,
      {},
    )
    const organizations = realms.map(({ realm_id, string_id, name, url, is_active }) => ({
      id: realm_id,
      subdomain: string_id,
      name,
      url,
      is_active,
    }))
    const rows = organizations.map(({ id, subdomain, name, url, is_active }) => [
      id,
      formatSubdomain(subdomain),
      name,
      url,
      is_active ? 'yes' : 'no',
    ])
    return {
      json: { organizations },
      text: renderTable(['ID', 'SUBDOMAIN', 'NAME', 'URL', 'ACTIVE'], rows),
    }
  })
}
