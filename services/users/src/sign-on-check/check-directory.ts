import type { ClientTls } from '@tms/service-kit'
import type { Client, Entry } from 'ldapts'
import { codeOf, nameOf, toDirectoryEntry } from '../directory/directory.ts'
import {
  fillDn,
  fillFilter,
  isUserName,
  narrowFilter,
  widenFilter,
} from '../directory/directory-names.rules.ts'
import type { OpenedSettings } from '../directory/directory-settings.ts'
import { withLdapConnection } from '../directory/ldap-connection.ts'
import { listAttributes, type Person, readPerson } from '../directory/person.rules.ts'
import { checkConnection } from './check-connection.ts'
import { reasonOf, type Steps } from './steps.ts'

const NO_SUCH_OBJECT = 32
const INVALID_CREDENTIALS = 49
/** Finds out that there are more than one, and shows which. */
const SOME = 3
/** Steps in one connection: StartTLS, the service account, the base, the filter. */
const MAX_STEPS = 4

/** Tries a directory as a sign-in does, but for the person's password. Returns the person of the user name
 * `as`, if that is known. */
export async function checkDirectory(
  steps: Steps,
  settings: OpenedSettings,
  tls: ClientTls,
  as: string | null,
): Promise<Person | null> {
  const user = as === null ? null : nameOf(as.trim(), settings.email_domain ?? null)
  const { url, ca, start_tls: startsTls, timeout_seconds: seconds } = settings
  const timeoutMs = seconds * 1_000
  const trusted = ca === null ? tls : { ...tls, ca }
  if (!(await checkConnection(steps, { url, tls: trusted, timeoutMs }))) return null
  let isConnected = false
  try {
    return await withLdapConnection(
      settings,
      tls,
      { timeoutMs, lastsMs: timeoutMs * MAX_STEPS },
      async (client) => {
        isConnected = true
        if (startsTls) steps.ok('StartTLS: the connection is encrypted, and the certificate is valid')
        else if (url.startsWith('ldap:'))
          steps.note('TLS: passwords are sent unencrypted (allow_unencrypted)')
        return findPerson(steps, settings, client, user)
      },
    )
  } catch (err) {
    if (isConnected) steps.wrong(`the directory broke off: ${reasonOf(err)}`)
    else steps.wrong(`StartTLS: the connection can’t be encrypted: ${reasonOf(err)}`)
    return null
  }
}

async function findPerson(
  steps: Steps,
  settings: OpenedSettings,
  client: Client,
  user: string | null,
): Promise<Person | null> {
  const { service_account: account, direct_bind: template } = settings
  if (user !== null && !isUserName(user)) {
    steps.wrong(`filter: ‘${user}’ can be no user name`)
    return null
  }
  if (!account) {
    if (user !== null) steps.ok(`direct bind: the password would be tried as ${fillDn(template ?? '', user)}`)
    steps.note('direct bind: base, filter and attributes are tried only with the password of a person')
    return null
  }
  try {
    await client.bind(account.dn, account.password)
    steps.ok(`service account: signed in as ${account.dn}`)
  } catch (err) {
    const isRefused = codeOf(err) === INVALID_CREDENTIALS
    const reason = isRefused ? 'its DN or password is wrong' : reasonOf(err)
    steps.wrong(`service account: ${account.dn} can’t sign in: ${reason}`)
    return null
  }
  if (!(await checkBase(steps, client, settings.base))) return null
  const filter = user === null ? widenFilter(settings.filter) : fillFilter(settings.filter, user)
  const entries = await search(client, settings, filter)
  const [entry, ...others] = entries
  if (!entry) {
    steps.wrong(
      user === null
        ? `filter: ${filter} finds nobody below ${settings.base}`
        : `filter: ${filter} finds no entry, so ‘${user}’ is unknown to the directory`,
    )
    return null
  }
  if (user === null) {
    steps.ok(`filter: ${filter} finds people, such as ${entry.dn}; --as <user name> tries one of them`)
    return null
  }
  if (others.length > 0) {
    const found = entries.map(({ dn }) => dn).join('; ')
    steps.wrong(`filter: ${filter} finds more than one entry, so nobody can sign in as ‘${user}’: ${found}`)
    return null
  }
  steps.ok(`filter: ${filter} finds ${entry.dn}`)
  const person = readPerson(toDirectoryEntry(entry), settings)
  return (await checkPerson(steps, settings, client, { entry, person })) ? person : null
}

async function checkBase(steps: Steps, client: Client, base: string): Promise<boolean> {
  try {
    const { searchEntries } = await client.search(base, { scope: 'base', attributes: ['1.1'] })
    if (searchEntries.length > 0) return steps.ok(`base: ${base} is there`)
  } catch (err) {
    if (codeOf(err) !== NO_SUCH_OBJECT) return steps.wrong(`base: ${base} can’t be read: ${reasonOf(err)}`)
  }
  return steps.wrong(`base: there is no ${base}, or the service account may not see it`)
}

async function search(client: Client, settings: OpenedSettings, filter: string): Promise<Entry[]> {
  const options = { scope: 'sub', filter, sizeLimit: SOME, attributes: listAttributes(settings) } as const
  const { searchEntries } = await client.search(settings.base, options)
  return searchEntries
}

async function checkPerson(
  steps: Steps,
  settings: OpenedSettings,
  client: Client,
  { entry, person }: { readonly entry: Entry; readonly person: Person },
): Promise<boolean> {
  const { attributes, email_domain: domain } = settings
  const { email, fullName, isDisabled, profile } = person
  const source = domain === undefined ? `${attributes.email}` : `${attributes.user_name} with ${domain}`
  if (email === null)
    return steps.wrong(`attributes: ${source} of ${entry.dn} is missing or no e-mail address`)
  steps.ok(`attributes: the e-mail address is ${email} (${source})`)
  const nameSource = [attributes.full_name ?? [attributes.first_name, attributes.last_name]].flat().join(', ')
  if (fullName === null) return steps.wrong(`attributes: the name is missing (${nameSource})`)
  steps.ok(`attributes: the name is ${fullName} (${nameSource})`)
  const absent = [...profile].filter(([, value]) => value === null).map(([field]) => field)
  if (absent.length > 0) steps.note(`attributes: nothing for the profile fields ${absent.join(', ')}`)
  if (isDisabled)
    return steps.wrong(`attributes: ${entry.dn} is disabled, by ${settings.disabled?.attribute}`)
  if (domain === undefined) {
    const filter = narrowFilter(settings.filter, attributes.email ?? '', email)
    const sharing = await search(client, settings, filter)
    if (sharing.length > 1)
      return steps.wrong(
        `attributes: ${email} is the address of several entries: ${sharing.map(({ dn }) => dn).join('; ')}`,
      )
  }
  return true
}
