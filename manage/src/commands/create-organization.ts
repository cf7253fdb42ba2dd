import { internal } from '@tms/contracts'
import { createDefaultChannels } from '@tms/local-system'
import { type ClientTls, type InternalClient, requestStatus, withPublicAuthorities } from '@tms/service-kit'
import type { Command } from 'commander'
import { readTls, readVariables } from '../environment.ts'
import { CommandError, UnavailableError } from '../failures.ts'
import { addressOf, getOrganization, ORGANIZATION, subdomainIn } from '../organizations.ts'
import { AS_GIVEN, choosePassword, PASSWORD_STDIN } from '../passwords.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Result, type Terminal } from '../tools.ts'

interface Options {
  readonly name: string
  readonly ownerEmail: string
  readonly ownerName: string
  readonly passwordStdin?: boolean
}

const GATEWAY_MS = 5_000

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
    const { GATEWAY_URL } = readVariables(env, ['GATEWAY_URL'])
    const tls = withPublicAuthorities(readTls(env))
    const { password, told } = await choosePassword(terminal, options.passwordStdin ?? false)
    // All that can be known to go wrong is, before there is anything.
    await checkGateway(GATEWAY_URL, tls)
    const [email, full_name] = [options.ownerEmail.trim(), options.ownerName]
    await call(internal.users.checkNewAccount, { email, full_name })

    const asked = { string_id: subdomainIn(called), name: options.name, url: address }
    const { realm_id } = await call(internal.realm.ensureRealm, asked)
    const { owner } = await call(internal.users.ensureFirstOwner, { realm_id, email, password, full_name })
    const isCreated =
      owner !== null &&
      (await createDefaultChannels({
        gateway: GATEWAY_URL,
        address,
        owner: { email, apiKey: owner.api_key },
        tls,
      }))
    // With an owner of ours and no channels it was begun by a command that was broken off.
    if (!owner || !(isCreated || owner.is_new)) throw await existing(call, called)
    await rename(call, called, options.name)
    return render({ ...asked, id: realm_id }, { ...owner, email, told })
  })
}

/** Throws while nobody can be signed in. */
async function checkGateway(url: string, tls: ClientTls): Promise<void> {
  const status = await requestStatus(`${url}/health/live`, tls, GATEWAY_MS).catch(() => null)
  if (status !== 200) throw new UnavailableError(`The gateway does not answer at ${url}; nothing was created`)
}

async function existing(call: InternalClient, called: string): Promise<CommandError> {
  const { url, name } = await getOrganization(call, called)
  return new CommandError(
    `There is an organization at ${url} already, "${name}"; create-owner gives it another owner`,
  )
}

/** What was begun under another name gets this one. */
async function rename(call: InternalClient, called: string, name: string): Promise<void> {
  const { realm_id, name: present } = await getOrganization(call, called)
  if (present !== name.trim())
    await call(internal.realm.changeRealmSettings, { realm_id, settings: { name } })
}

function render(
  { id, string_id: subdomain, name, url }: { id: number; string_id: string; name: string; url: string },
  owner: { user_id: number; email: string; api_key: string; is_new: boolean; told: string | null },
): Result {
  const { user_id, email, api_key, is_new, told } = owner
  const password = is_new ? told : null
  const instead = is_new ? AS_GIVEN : 'as it was chosen before; reset-password gives another'
  return {
    json: { organization: { id, subdomain, name, url }, owner: { id: user_id, email, password, api_key } },
    text: renderDetails([
      ['Address', url],
      ['E-mail', email],
      ['Password', password ?? instead],
      ['API key', api_key],
    ]),
  }
}
