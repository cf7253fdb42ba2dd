import { Command } from 'commander'
import { addAllowEmailChanges } from './commands/allow-email-changes.ts'
import { addAnnounce } from './commands/announce.ts'
import { addCapacity } from './commands/capacity.ts'
import { addCheckSignOn } from './commands/check-sign-on.ts'
import { addCreateIntegration } from './commands/create-integration.ts'
import { addCreateOrganization } from './commands/create-organization.ts'
import { addCreateOwner } from './commands/create-owner.ts'
import { addCreateScimToken } from './commands/create-scim-token.ts'
import { addDeactivateOrganization } from './commands/deactivate-organization.ts'
import { addDeleteOrganization } from './commands/delete-organization.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addListOrganizations } from './commands/list-organizations.ts'
import { addLog } from './commands/log.ts'
import { addLogEntries } from './commands/log-entries.ts'
import { addNotifyTest } from './commands/notify-test.ts'
import { addCreateOrganizationStream, addDeleteOrganizationStream } from './commands/organization-stream.ts'
import { addProjections } from './commands/projections.ts'
import { addPushRegistrationKey } from './commands/push-registration-key.ts'
import { addPushRelay } from './commands/push-relay.ts'
import { addQueues } from './commands/queues.ts'
import { addReactivateOrganization } from './commands/reactivate-organization.ts'
import { addRenderAgain } from './commands/render-again.ts'
import { addReplay } from './commands/replay.ts'
import { addResetPassword } from './commands/reset-password.ts'
import { addSetSettings } from './commands/set-settings.ts'
import { addSettings } from './commands/settings.ts'
import { addSyncDirectory } from './commands/sync-directory.ts'
import { addWebPushKeys } from './commands/web-push-keys.ts'
import { variableDescriptions } from './kernel/environment.ts'
import type { Terminal } from './terminal/command-action.ts'
import type { Interruption } from './terminal/interruption.ts'
import { renderDetails } from './terminal/table.ts'

/** All commands. They throw instead of exiting. */
export function createProgram(terminal: Terminal, interruption: Interruption): Command {
  const program = new Command('manage')
    .description(
      'Commands for operators of an installation. `manage help <command>` shows the help of a command.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText(
      'after',
      `
Environment variables (each command reads only those that it needs):
${renderDetails(variableDescriptions).replaceAll(/^/gm, '  ')}
In a checkout whose system runs (npm start), none is needed: commands use that system.

Exit codes: 0 success, 1 failure, 2 usage error, 3 a server does not answer, 130 interrupted.`,
    )
  for (const add of [
    addListOrganizations,
    addCreateOrganization,
    addDeactivateOrganization,
    addReactivateOrganization,
    addDeleteOrganization,
    addCreateOwner,
    addNotifyTest,
    addAnnounce,
    addWebPushKeys,
    addPushRegistrationKey,
    addPushRelay,
    addResetPassword,
    addAllowEmailChanges,
    addSyncDirectory,
    addCheckSignOn,
    addCreateIntegration,
    addCreateScimToken,
    addSettings,
    addSetSettings,
    addExport,
    addImport,
    addCapacity,
    addQueues,
    addLog,
    addLogEntries,
    addCreateOrganizationStream,
    addDeleteOrganizationStream,
    addProjections,
    addReplay,
    addRenderAgain,
  ])
    add(program, terminal, interruption)
  return program
}
