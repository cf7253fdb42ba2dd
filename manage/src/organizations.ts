import { isIP } from 'node:net'
import { internal, type RealmProjection } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { readVariables } from './environment.ts'
import { CommandError } from './failures.ts'

/** How operators call the organization at the root of the domain, which has no subdomain. */
const ROOT = '.'

/** For the help of commands. */
export const ORGANIZATION = `subdomain of the organization; "${ROOT}" is the one at the root`

/** An organization's subdomain by what an operator calls it. */
export const subdomainIn = (called: string): string => (called === ROOT ? '' : called.toLowerCase())

/** What an operator calls an organization. */
export const calledOf = (subdomain: string): string => (subdomain === '' ? ROOT : subdomain)

/** The organization at a subdomain; null if there is none. */
export async function findOrganization(
  call: InternalClient,
  called: string,
): Promise<RealmProjection | null> {
  const { realms } = await call(internal.realm.listRealmProjections, { string_ids: [subdomainIn(called)] })
  return realms[0] ?? null
}

/** The same. Throws when there is none. */
export async function getOrganization(call: InternalClient, called: string): Promise<RealmProjection> {
  const found = await findOrganization(call, called)
  if (!found)
    throw new CommandError(
      `There is no organization at '${called}'; list-organizations shows all that there are`,
    )
  return found
}

/** The URL at which clients reach an organization. Throws where the installation's host can't have subdomains. */
export function addressOf(env: NodeJS.ProcessEnv, called: string): string {
  const { EXTERNAL_HOST, EXTERNAL_SCHEME } = readVariables(env, ['EXTERNAL_HOST', 'EXTERNAL_SCHEME'])
  const subdomain = subdomainIn(called)
  if (subdomain === '') return `${EXTERNAL_SCHEME}://${EXTERNAL_HOST}`
  const { hostname } = new URL(`${EXTERNAL_SCHEME}://${EXTERNAL_HOST}`)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new CommandError(
      `${hostname} is an address, which has no subdomains: EXTERNAL_HOST has to be a name`,
    )
  return `${EXTERNAL_SCHEME}://${subdomain}.${EXTERNAL_HOST}`
}
