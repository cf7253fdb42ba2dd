import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { calledOf } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { renderTable } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addListOrganizations(program: Command, terminal: Terminal): void {
  const command = program.command('list-organizations').description('list all organizations')
  answerWith(command, terminal, async () => {
    const { realms } = await callerOf(terminal.env, ['realm'])(internal.realm.listRealmProjections, {})
    const organizations = realms.map(({ realm_id, string_id, name, url, is_active }) => ({
      id: realm_id,
      subdomain: string_id,
      name,
      url,
      is_active,
    }))
    const rows = organizations.map(({ id, subdomain, name, url, is_active }) => [
      id,
      calledOf(subdomain),
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
