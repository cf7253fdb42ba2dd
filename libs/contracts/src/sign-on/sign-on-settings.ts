import { z } from 'zod'
import { type AuthenticationMethod, authenticationMethodNames } from './authentication-methods.ts'
import { jwtIssuer, refuseSharedIssuers } from './jwt-settings.ts'
import { findProviders, idOf, methodOfKind, provider } from './provider-settings.ts'
import { findRemoteUser, remoteUser } from './remote-user.ts'
import { domain, organizations, roleRule, secret, filledText as text } from './setting-parts.ts'

/** What a user name is put in for, in filters and DNs. */
export const NAME_PLACEHOLDER = '{name}'

const attribute = z.string().regex(/^[A-Za-z][A-Za-z0-9-]*(;[A-Za-z0-9-]+)*$/, 'is no name of an attribute')
const namesUser = (value: string) => value.includes(NAME_PLACEHOLDER)

/** An LDAP filter, as far as that is seen without parsing it. */
const filter = text.refine(isFilter, 'is no filter, such as (objectClass=person)')

/** Which entries a rule is about: those with any value of the attribute, with one of these, or with a bit of a number. */
const condition = z
  .strictObject({
    attribute,
    values: z.array(text).min(1).optional(),
    bit: z.int().min(0).max(31).optional(),
  })
  .refine(({ values, bit }) => values === undefined || bit === undefined, 'has both values and a bit')

/** Such as `memberOf`, whose values are names of groups. */
const roles = roleRule(attribute)

const attributes = z
  .strictObject({
    email: attribute.optional(),
    /** For addresses that are made from it. */
    user_name: attribute.optional(),
    full_name: attribute.optional(),
    first_name: attribute.optional(),
    last_name: attribute.optional(),
    /** Has a picture: `jpegPhoto`, `thumbnailPhoto`. */
    avatar: attribute.optional(),
    /** By the name of the profile field. */
    profile_fields: z.record(z.string(), attribute).default({}),
  })
  .refine(
    ({ full_name, first_name, last_name }) =>
      full_name !== undefined || (first_name !== undefined && last_name !== undefined),
    'names no attribute of the name: full_name, or first_name and last_name',
  )

const sync = z.strictObject({
  every_minutes: z.int().min(1).max(10_080).default(60),
  /** Whether accounts of its people are deactivated once they have no entry. */
  deactivate_missing: z.boolean().default(true),
  /** More are not deactivated at once without an operator. */
  max_deactivated_percent: z.int().min(1).max(100).default(20),
  /** DNs of the directory's groups by the names of the user groups whose members they are. */
  groups: z.record(text, text).default({}),
  /** Has the DNs of a group's members. */
  group_member_attribute: attribute.default('member'),
})

const directory = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'has other characters than a-z, 0-9 and -, or too many'),
    organizations,
    url: z
      .string()
      .regex(
        /^ldaps?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?\/?$/,
        'is no ldap:// or ldaps:// URL of a host',
      ),
    start_tls: z.boolean().default(false),
    /** Authorities that sign the directory's certificate (PEM); absent: the public ones. */
    ca: secret.optional(),
    /** Passwords may cross the network unencrypted. */
    allow_unencrypted: z.boolean().default(false),
    timeout_seconds: z.number().min(0.1).max(30).default(5),
    /** The account that searches. Absent: users bind directly, by `direct_bind`. */
    service_account: z.strictObject({ dn: text, password: secret }).optional(),
    /** A DN or another name by which users bind, such as `uid={name},ou=people,dc=example,dc=com`. */
    direct_bind: text.refine(namesUser, `has no ${NAME_PLACEHOLDER}`).optional(),
    base: text,
    /** Finds the entry of a user name; must match exactly one. */
    filter: filter.refine(namesUser, `has no ${NAME_PLACEHOLDER}`),
    /** Addresses are `{name}@<domain>` if no attribute has them. */
    email_domain: domain.optional(),
    attributes,
    /** Entries of people who have left. */
    disabled: condition.optional(),
    roles: roles.optional(),
    /** Compares all accounts with the directory now and then. */
    sync: sync.optional(),
  })
  .superRefine((one, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if ((one.service_account === undefined) === (one.direct_bind === undefined))
      refuse('service_account', 'or direct_bind is needed, and not both')
    if ((one.attributes.email === undefined) === (one.email_domain === undefined))
      refuse('email_domain', 'or attributes.email is needed, and not both')
    if ((one.attributes.user_name === undefined) !== (one.email_domain === undefined))
      refuse('email_domain', 'and attributes.user_name are needed together')
    if (one.attributes.avatar !== undefined && one.service_account === undefined)
      refuse('service_account', 'is needed for attributes.avatar')
    if (one.sync && one.service_account === undefined) refuse('sync', 'needs service_account')
    const isEncrypted = one.url.startsWith('ldaps:') || one.start_tls
    if (!isEncrypted && !one.allow_unencrypted)
      refuse('url', 'would send passwords unencrypted: use ldaps://, start_tls or allow_unencrypted')
    if (one.url.startsWith('ldaps:') && one.start_tls) refuse('start_tls', 'is not for ldaps://')
  })
export type DirectorySettings = z.output<typeof directory>

/** No subdomain. */
const ANY = '*'

/** Refuses two settings with the same ID for one organization, or for all others. */
function refuseSharing<T extends { readonly organizations?: readonly string[] | undefined }>(
  ctx: z.RefinementCtx,
  path: readonly string[],
  noun: string,
  all: readonly T[],
  identify: (one: T) => string,
): void {
  const claimed = new Set<string>()
  for (const [index, one] of all.entries()) {
    for (const subdomain of one.organizations ?? [ANY]) {
      const claim = `${identify(one)} ${subdomain}`
      if (claimed.has(claim))
        ctx.addIssue({
          ...{ code: 'custom', path: [...path, index, 'organizations'] },
          message: `has ${subdomain === ANY ? 'all organizations' : `'${subdomain}'`}, like another ${noun}`,
        })
      claimed.add(claim)
    }
  }
}

/** What the installation shows SAML providers of itself. */
const ownSaml = z.strictObject({
  /** PEM: decrypts assertions and signs requests. */
  private_key: secret,
  /** Its certificate (PEM). */
  certificate: secret,
})

/** How users of an installation may sign in, as its operator configures it. */
export const signOnSettings = z
  .strictObject({
    /** Whether passwords are stored here. */
    email: z.boolean().default(true),
    ldap: z.strictObject({ directories: z.array(directory).min(1) }).optional(),
    /** Other servers at which users sign in: OpenID Connect, and the like. */
    providers: z.array(provider).default([]),
    /** For providers of SAML. */
    saml: ownSaml.optional(),
    /** A proxy in front of the gateway that signs users in. */
    remote_user: remoteUser.optional(),
    /** Sites that sign users in by a token. */
    jwt: z.array(jwtIssuer).default([]),
    /** Whether the log-in page leads straight to another site, if an organization has that way to log in alone. */
    auto_sign_in: z.boolean().default(false),
  })
  .superRefine(({ email, ldap, providers, remote_user, jwt }, ctx) => {
    refuseSharedIssuers(ctx, jwt)
    if (!email && !ldap && !remote_user && providers.length === 0)
      ctx.addIssue({ code: 'custom', path: ['email'], message: 'is the only method and off' })
    const directories = ldap?.directories ?? []
    for (const [index, one] of directories.entries()) {
      if (directories.findIndex(({ name }) => name === one.name) < index)
        ctx.addIssue({
          ...{ code: 'custom', path: ['ldap', 'directories', index, 'name'] },
          message: 'is taken by another directory',
        })
    }
    refuseSharing(ctx, ['ldap', 'directories'], 'directory', directories, () => '')
    refuseSharing(ctx, ['providers'], 'provider', providers, idOf)
  })
export type SignOnSettings = z.output<typeof signOnSettings>

export const defaultSignOn: SignOnSettings = signOnSettings.parse({})

/** The directory of an organization: its own, or the one of all organizations. */
export function findDirectory({ ldap }: SignOnSettings, subdomain: string): DirectorySettings | null {
  const directories = ldap?.directories ?? []
  return (
    directories.find(({ organizations }) => organizations?.includes(subdomain)) ??
    directories.find(({ organizations }) => organizations === undefined) ??
    null
  )
}

/** What the installation offers an organization; with a subdomain of null, what it offers any. */
export function availableMethods(settings: SignOnSettings, subdomain: string | null): AuthenticationMethod[] {
  const hasDirectory =
    subdomain === null ? settings.ldap !== undefined : findDirectory(settings, subdomain) !== null
  const offered: Partial<Record<AuthenticationMethod, boolean>> = {
    Email: settings.email,
    LDAP: hasDirectory,
    RemoteUser: findRemoteUser(settings, subdomain) !== null,
  }
  for (const { kind } of findProviders(settings.providers, subdomain)) offered[methodOfKind(kind)] = true
  return authenticationMethodNames.filter((name) => offered[name] === true)
}

function isFilter(value: string): boolean {
  let depth = 0
  for (const [index, character] of [...value].entries()) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0 || (depth === 0 && index < value.length - 1)) return false
  }
  return value.startsWith('(') && depth === 0
}
