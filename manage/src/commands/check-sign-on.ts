import { internal, type SignOnCheck } from '@tms/contracts'
import type { Command } from 'commander'
import { CommandError } from '../kernel/errors.ts'
import { getChosenOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'

/** Each step waits at most for `timeout_seconds` of its method. */
const TIMEOUT_MS = 300_000
const MARKS = { ok: '✓', note: '–', wrong: '✗' } as const

export function addCheckSignOn(program: Command, terminal: Terminal): void {
  const command = program
    .command('check-sign-on')
    .description('try the ways to sign in that SIGN_ON configures, step by step, and say what is wrong')
    .argument('[method]', 'one of them, such as ldap, ldap:corp, oidc or google; default: all')
    .option('--as <user>', 'a user name of the directory, or an e-mail address: find the account it leads to')
    .option('--organization <organization>', ORGANIZATION_HELP)
  registerAction<{ as?: string; organization?: string }>(
    command,
    terminal,
    async ([method], { as, organization }) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users'])
      const { realm_id } = await getChosenOrganization(call, organization)
      const body = { realm_id, method: method ?? null, as: as ?? null }
      const { checks } = await call(internal.users.checkSignOn, body, { timeoutMs: TIMEOUT_MS })
      const broken = checks.filter(({ is_working }) => !is_working).map((check) => check.method)
      return {
        json: { checks },
        text: checks.map(renderCheck).join('\n\n'),
        ...(broken.length > 0 && { failure: new CommandError(`Not working: ${broken.join(', ')}`) }),
      }
    },
  )
}

function renderCheck({ method, steps }: SignOnCheck): string {
  return [method, ...steps.map(({ outcome, text }) => `  ${MARKS[outcome]} ${text}`)].join('\n')
}
