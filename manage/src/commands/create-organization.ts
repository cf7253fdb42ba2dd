import { internal } from '@tms/contracts'
import { createDefaultChannels } from '@tms/local-system'
import { type ClientTls, type InternalClient, requestStatus, withPublicAuthorities } from '@tms/service-kit'
import type { Command } from 'commander'
import { readTls, readVariables } from '../kernel/environment.ts'
import { CommandError, UnavailableError } from '../kernel/errors.ts'
import {
  buildOrganizationUrl,
  getOrganization,
  ORGANIZATION_HELP,
  parseSubdomain,
} from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import { choosePassword, PASSWORD_AS_GIVEN, PASSWORD_STDIN_HELP } from '../terminal/passwords.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly name: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly passwordStdin?: boolean
}

const GATEWAY_MS = 5_000

/** Running it again completes a creation that was cut short. */
export function addCreateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-organization')
    .description('create an organization, its owner, and the default channels of new users')
    .argument('<organization>', ORGANIZATION_HELP)
    .requiredOption('--name <name>', 'name of the organization')
    .requiredOption('--owner-email <address>', 'e-mail address of its owner')
    .option('--owner-name <name>', 'full name of its owner', 'Organization Owner')
    .option('--password-stdin', PASSWORD_STDIN_HELP)
  registerAction<Options>(command, terminal, async ([organizationName = ''], options) => {
    const { env } = terminal
    const address = buildOrganizationUrl(env, organizationName)
    const call = createServiceCaller(env, ['realm', 'users'])
    const { GATEWAY_URL } = readVariables(env, ['GATEWAY_URL'])
    const tls = withPublicAuthorities(readTls(env))
    const { password, printable } = await choosePassword(terminal, options.passwordStdin ?? false)
    // Everything that can be checked is checked before anything is created.
    await checkGateway(GATEWAY_URL, tls)
    const [email, full_name] = [options.ownerEmail.trim(), options.ownerName]
    await call(internal.users.checkNewAccount, { email, full_name })

    const parameters = { string_id: parseSubdomain(organizationName), name: options.name, url: address }
    const { realm_id } = await call(internal.realm.ensureRealm, parameters)
    const { owner } = await call(internal.users.ensureFirstOwner, { realm_id, email, password, full_name })
    const isCreated =
      owner !== null &&
      (await createDefaultChannels({
        gateway: GATEWAY_URL,
        address,
        owner: { email, apiKey: owner.api_key },
        tls,
      }))
    // An existing owner without default channels: an earlier run was cut short.
    if (!owner || !(isCreated || owner.is_new)) throw await createExistsError(call, organizationName)
    await renameOrganization(call, organizationName, options.name)
    return render({ ...parameters, id: realm_id }, { ...owner, email, printable })
  })
}

/** Throws if the gateway does not answer. */
async function checkGateway(url: string, tls: ClientTls): Promise<void> {
  const status = await requestStatus(`${url}/health/live`, tls, GATEWAY_MS).catch(() => null)
  if (status !== 200) throw new UnavailableError(`The gateway does not answer at ${url}; nothing was created`)
}

async function createExistsError(call: InternalClient, organizationName: string): Promise<CommandError> {
  const { url, name } = await getOrganization(call, organizationName)
  return new CommandError(
    `There is an organization at ${url} already, "${name}"; create-owner adds another owner`,
  )
}

/** Renames an organization that an earlier run created under another name. */
async function renameOrganization(
  call: InternalClient,
  organizationName: string,
  name: string,
): Promise<void> {
  const { realm_id, name: currentName } = await getOrganization(call, organizationName)
  if (currentName !== name.trim())
    await call(internal.realm.changeRealmSettings, { realm_id, settings: { name } })
}

function render(
  { id, string_id: subdomain, name, url }: { id: number; string_id: string; name: string; url: string },
  owner: { user_id: number; email: string; api_key: string; is_new: boolean; printable: string | null },
): Result {
  const { user_id, email, api_key, is_new, printable } = owner
  const password = is_new ? printable : null
  const placeholder = is_new ? PASSWORD_AS_GIVEN : 'unchanged; reset-password sets another'
  return {
    json: { organization: { id, subdomain, name, url }, owner: { id: user_id, email, password, api_key } },
    text: renderDetails([
      ['Address', url],
      ['E-mail', email],
      ['Password', password ?? placeholder],
      ['API key', api_key],
    ]),
  }
}
