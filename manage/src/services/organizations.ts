import { isIP } from 'node:net'
import { internal, type RealmProjection } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { readVariables } from '../kernel/environment.ts'
import { CommandError } from '../kernel/errors.ts'

/** The name on the command line of the organization at the root domain, which has no subdomain. */
const ROOT = '.'

/** For the help of commands. */
export const ORGANIZATION_HELP = `subdomain of the organization, or "${ROOT}" for the one at the root domain`

/** The subdomain that an argument of a command names. */
export const parseSubdomain = (organizationName: string): string =>
  organizationName === ROOT ? '' : organizationName.toLowerCase()

/** A subdomain as commands take and print it. */
export const formatSubdomain = (subdomain: string): string => (subdomain === '' ? ROOT : subdomain)

/** Finds an organization by its name on the command line; null if there is none. */
export async function findOrganization(
  call: InternalClient,
  organizationName: string,
): Promise<RealmProjection | null> {
  const { realms } = await call(internal.realm.listRealmProjections, {
    string_ids: [parseSubdomain(organizationName)],
  })
  return realms[0] ?? null
}

/** The same. Throws when there is none. */
export async function getOrganization(
  call: InternalClient,
  organizationName: string,
): Promise<RealmProjection> {
  const found = await findOrganization(call, organizationName)
  if (!found)
    throw new CommandError(
      `There is no organization at '${organizationName}'; list-organizations lists all of them`,
    )
  return found
}

/**
 * The organization with this name on the command line; without a name the only active one, or else the one at the root domain.
 * Throws when there is none.
 */
export async function getChosenOrganization(
  call: InternalClient,
  organizationName: string | undefined,
): Promise<RealmProjection> {
  if (organizationName !== undefined) return getOrganization(call, organizationName)
  const { realms } = await call(internal.realm.listRealmProjections, {})
  const active = realms.filter(({ is_active }) => is_active)
  const chosen = active.length === 1 ? active[0] : active.find(({ string_id }) => string_id === '')
  if (!chosen)
    throw new CommandError(
      'There are several organizations: choose one of list-organizations by --organization',
    )
  return chosen
}

/** The URL at which clients reach an organization. Throws if the installation's host can't have subdomains. */
export function buildOrganizationUrl(env: NodeJS.ProcessEnv, organizationName: string): string {
  const { EXTERNAL_HOST, EXTERNAL_SCHEME } = readVariables(env, ['EXTERNAL_HOST', 'EXTERNAL_SCHEME'])
  const subdomain = parseSubdomain(organizationName)
  if (subdomain === '') return `${EXTERNAL_SCHEME}://${EXTERNAL_HOST}`
  const { hostname } = new URL(`${EXTERNAL_SCHEME}://${EXTERNAL_HOST}`)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new CommandError(
      `${hostname} is an IP address and has no subdomains: EXTERNAL_HOST has to be a name`,
    )
  return `${EXTERNAL_SCHEME}://${subdomain}.${EXTERNAL_HOST}`
}
