import { internal } from '@tms/contracts'
import { createOrganization } from '@tms/local-system'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { readVariables } from '../environment.ts'
import { Refusal } from '../failures.ts'
import { addressOf, findOrganization, ORGANIZATION, subdomainIn } from '../organizations.ts'
import { choosePassword, PASSWORD_STDIN } from '../passwords.ts'
import { callerOf } from '../services.ts'
import { renderFacts } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

interface Options {
  readonly name: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly passwordStdin?: boolean
}

/** One that was broken off in the middle is finished by running it again. */
export function addCreateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-organization')
    .description('create an organization, its owner, and the channels that new people get')
    .argument('<organization>', ORGANIZATION)
    .requiredOption('--name <name>', 'what the organization is called')
    .requiredOption('--owner-email <address>', 'e-mail address of its owner')
    .option('--owner-name <name>', 'full name of its owner', 'Organization Owner')
    .option('--password-stdin', PASSWORD_STDIN)
  answerWith<Options>(command, terminal, async ([called = ''], options) => {
    const { env } = terminal
    const address = addressOf(env, called)
    const call = callerOf(env, ['realm', 'users'])
    const { GATEWAY_URL, USERS_URL, REALM_URL, INTERNAL_PRIVATE_KEY } = readVariables(env, [
      'GATEWAY_URL',
      'USERS_URL',
      'REALM_URL',
      'INTERNAL_PRIVATE_KEY',
    ])
    await checkIsNew(call, called)
    const { password } = await choosePassword(terminal, options.passwordStdin ?? false)
    const { realmId, owner } = await createOrganization({
      urls: { gateway: GATEWAY_URL, users: USERS_URL[0] ?? '', realm: REALM_URL[0] ?? '' },
      subdomain: subdomainIn(called),
      name: options.name,
      address,
      internalPrivateKey: INTERNAL_PRIVATE_KEY,
      owner: { email: options.ownerEmail, fullName: options.ownerName, password },
    })
    return {
      json: {
        organization: { id: realmId, subdomain: subdomainIn(called), name: options.name, url: address },
        owner: { id: owner.userId, email: owner.email, password, api_key: owner.apiKey },
      },
      text: renderFacts([
        ['Address', address],
        ['E-mail', owner.email],
        ['Password', password],
        ['API key', owner.apiKey],
      ]),
    }
  })
}

/** Throws when there is one already that has people. */
async function checkIsNew(call: InternalClient, called: string): Promise<void> {
  const known = await findOrganization(call, called)
  if (!known) return
  const { users } = await call(internal.users.listUserFacts, { realm_id: known.realm_id, limit: 100 })
  if (users.some(({ is_bot }) => !is_bot))
    throw new Refusal(
      `There is an organization at ${known.url} already, "${known.name}"; create-owner gives it another owner`,
    )
}
