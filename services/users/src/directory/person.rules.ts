import { type DirectorySettings, Role } from '@tms/contracts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'

/** An entry of a directory: its attributes by their folded names, texts unless they are binary. */
export interface DirectoryEntry {
  readonly dn: string
  readonly attributes: ReadonlyMap<string, readonly (string | Buffer)[]>
}

/** What a directory says about somebody. */
export interface Person {
  readonly dn: string
  /** Another one whenever the entry was changed; null if avatars aren't taken, or the directory doesn't tell. */
  readonly version: string | null
  /** Null if the entry has none that can be one. */
  readonly email: string | null
  readonly fullName: string | null
  /** Has left, or may not sign in for another reason. */
  readonly isDisabled: boolean
  /** Null if the directory doesn't decide about roles. */
  readonly role: number | null
  /** Whether owners can lose that role by it: only if the directory can also give it. */
  readonly decidesAboutOwners: boolean
  /** Values by the name of the profile field; null clears it. */
  readonly profile: ReadonlyMap<string, string | null>
}

type Settings = Pick<DirectorySettings, 'attributes' | 'email_domain' | 'disabled' | 'roles'>

/**
 * Other values after each change: OpenLDAP's, Active Directory's, and the time, which all directories have, often to the
 * second only. They are given if named.
 */
const VERSIONS = ['entryCSN', 'uSNChanged', 'modifyTimestamp']

/** The attributes that `readPerson` needs. Pictures are not among them: they would be read for everybody at once. */
export function listAttributes({ attributes, disabled, roles }: Settings): string[] {
  const { email, user_name, full_name, first_name, last_name, avatar, profile_fields } = attributes
  const named = [
    ...[email, user_name, full_name, first_name, last_name],
    ...[disabled?.attribute, roles?.attribute],
    ...(avatar === undefined ? [] : VERSIONS),
  ]
  const all = [...named, ...Object.values(profile_fields)].filter((name) => name !== undefined)
  return [...new Set(all)]
}

export function readPerson(entry: DirectoryEntry, settings: Settings): Person {
  const { attributes, roles } = settings
  const profile = Object.entries(attributes.profile_fields).map(
    ([field, attribute]) => [field, textOf(entry, attribute) || null] as const,
  )
  return {
    dn: entry.dn,
    version: attributes.avatar === undefined ? null : versionOf(entry),
    email: addressOf(entry, settings),
    fullName: nameOf(entry, settings),
    isDisabled: isDisabled(entry, settings),
    role: roles === undefined ? null : roleOf(entry, roles),
    decidesAboutOwners: Object.values(roles?.values ?? {}).includes('owner'),
    profile: new Map(profile),
  }
}

const versionOf = (entry: DirectoryEntry): string | null =>
  VERSIONS.map((name) => textOf(entry, name))
    .join(' ')
    .trim() || null

function addressOf(
  entry: DirectoryEntry,
  { attributes: { email, user_name }, email_domain: domain }: Settings,
): string | null {
  const address = domain === undefined ? textOf(entry, email) : `${textOf(entry, user_name)}@${domain}`
  return isEmail(address) ? address : null
}

function nameOf(
  entry: DirectoryEntry,
  { attributes: { full_name, first_name, last_name } }: Settings,
): string | null {
  const parts = full_name === undefined ? [first_name, last_name] : [full_name]
  return parts.flatMap((part) => textOf(entry, part) || []).join(' ') || null
}

function isDisabled(entry: DirectoryEntry, { disabled }: Settings): boolean {
  if (disabled === undefined) return false
  const { attribute, values, bit } = disabled
  const present = textsOf(entry, attribute)
  if (bit !== undefined) return present.some((text) => ((Number(text) >>> bit) & 1) === 1)
  if (values === undefined) return present.length > 0
  return present.some((text) => isListed(values, text))
}

/** The highest of the roles that the values give. */
function roleOf(
  entry: DirectoryEntry,
  { attribute, values, otherwise }: NonNullable<Settings['roles']>,
): number {
  const present = textsOf(entry, attribute)
  const given = Object.entries(values).flatMap(([value, role]) =>
    isListed(present, value) ? Role[role] : [],
  )
  return given.length === 0 ? Role[otherwise] : Math.min(...given)
}

const isListed = (list: readonly string[], text: string): boolean =>
  list.some((other) => other.toLowerCase() === text.toLowerCase())

/** The first value, trimmed; empty if there is none. */
const textOf = (entry: DirectoryEntry, attribute: string | undefined): string =>
  attribute === undefined ? '' : (textsOf(entry, attribute)[0] ?? '')

function textsOf({ attributes }: DirectoryEntry, attribute: string): string[] {
  return (attributes.get(attribute.toLowerCase()) ?? []).flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : [],
  )
}
