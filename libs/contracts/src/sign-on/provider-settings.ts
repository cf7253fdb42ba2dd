import { z } from 'zod'
import type { AuthenticationMethod } from './authentication-methods.ts'
import { organizations, roleRule, secret, filledText as text } from './setting-parts.ts'

/**
 * Kinds of providers: the method that an organization switches, the name in URLs, and what log-in pages call them, in
 * their order.
 */
export const providerKinds = {
  saml: { method: 'SAML', backend: 'saml', displayName: 'SAML' },
  google: { method: 'Google', backend: 'google', displayName: 'Google' },
  github: { method: 'GitHub', backend: 'github', displayName: 'GitHub' },
  oidc: { method: 'OpenID Connect', backend: 'oidc', displayName: 'OIDC' },
  gitlab: { method: 'GitLab', backend: 'gitlab', displayName: 'GitLab' },
  microsoft: { method: 'AzureAD', backend: 'azuread-oauth2', displayName: 'AzureAD' },
  apple: { method: 'Apple', backend: 'apple', displayName: 'Apple' },
} as const satisfies Readonly<Record<string, ProviderKindEntry>>
export type ProviderKind = keyof typeof providerKinds

interface ProviderKindEntry {
  readonly method: AuthenticationMethod
  readonly backend: string
  readonly displayName: string
}

export const methodOfKind = (kind: ProviderKind): AuthenticationMethod => providerKinds[kind].method

const url = z.string().regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'is no https:// URL of a server')
const name = z.string().regex(/^[a-z0-9-]{1,40}$/, 'has other characters than a-z, 0-9 and -, or too many')

/** Of a page to which browsers are sent, also with a query. */
const pageUrl = z
  .string()
  .regex(/^https?:\/\/[^\s/?#@]+(\/[^\s#]*)?(\?[^\s#]*)?$/, 'is no https:// URL of a page')

const common = {
  organizations,
  /** What log-in pages call it. */
  display_name: text.max(60).optional(),
  /** A picture for log-in pages. */
  display_icon: url.optional(),
  /** Whether a log-in makes an account, as a sign-up does. */
  auto_signup: z.boolean().default(false),
  /** Whether each sign-in brings the provider's name. */
  updates_name: z.boolean().default(false),
  /** Claims by the names of profile fields. */
  profile_fields: z.record(z.string(), text).default({}),
  /** The role by a claim, such as `groups`. */
  roles: roleRule(text).optional(),
  /** Its URLs may be http://, for trying things out. */
  allow_unencrypted: z.boolean().default(false),
}
const shared = {
  ...common,
  client_id: text,
  timeout_seconds: z.number().min(0.1).max(30).default(5),
  /** Authorities that sign the provider's certificate (PEM); absent: the public ones. */
  ca: secret.optional(),
}
const withSecret = { ...shared, client_secret: secret }
/** Whether its addresses are verified although it doesn't say so. */
const trustsAddresses = z.boolean().default(false)

const oidc = z.strictObject({
  ...withSecret,
  kind: z.literal('oidc'),
  /** In URLs. */
  name: name.default('oidc'),
  issuer: url,
  scopes: z.array(text).default(['openid', 'profile', 'email']),
  email_claim: text.default('email'),
  name_claim: text.default('name'),
  trusts_addresses: trustsAddresses,
})

const google = z.strictObject({
  ...withSecret,
  kind: z.literal('google'),
  issuer: url.default('https://accounts.google.com'),
  /** The domain of a Workspace that people must belong to. */
  hosted_domain: text.optional(),
})

const gitlab = z.strictObject({
  ...withSecret,
  kind: z.literal('gitlab'),
  issuer: url.default('https://gitlab.com'),
})

/** Tenants that stand for anybody's. */
const SHARED_TENANTS = ['common', 'organizations', 'consumers']

const microsoft = z.strictObject({
  ...withSecret,
  kind: z.literal('microsoft'),
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'is no ID of a tenant')
    .refine(
      (tenant) => !SHARED_TENANTS.includes(tenant),
      'admits everybody: name the ID of one tenant, since others may claim any address',
    ),
  /** Without the tenant. */
  issuer: url.default('https://login.microsoftonline.com'),
  trusts_addresses: trustsAddresses,
})

const apple = z.strictObject({
  ...shared,
  kind: z.literal('apple'),
  issuer: url.default('https://appleid.apple.com'),
  team_id: text,
  key_id: text,
  /** PEM. */
  private_key: secret,
})

const github = z.strictObject({
  ...withSecret,
  kind: z.literal('github'),
  /** Of GitHub, or a server of its kind. */
  url: url.default('https://github.com'),
  api_url: url.default('https://api.github.com'),
  /** An organization there that people must belong to. */
  organization: text.optional(),
})

/** What a SAML provider says of people, by the names of its attributes. */
const samlAttributes = z.strictObject({
  /** Absent: the name ID is the address. */
  email: text.optional(),
  full_name: text.optional(),
  first_name: text.optional(),
  last_name: text.optional(),
  /** An ID that stays with the person; absent: the name ID. */
  id: text.optional(),
  /** Has the subdomains that the person may enter; that of the default organization is `www`. */
  organizations: text.optional(),
})

const saml = z.strictObject({
  ...common,
  kind: z.literal('saml'),
  /** In URLs. */
  name,
  /** XML in which the provider describes itself: its entity ID, URLs and certificates. */
  metadata: secret.optional(),
  /** Of several in the metadata, this one. */
  entity_id: text.optional(),
  sso_url: pageUrl.optional(),
  /** Where people log out at the provider. */
  slo_url: pageUrl.optional(),
  /** PEM, or base64 as metadata has them; several while one replaces another. */
  certificates: z.array(secret).min(1).optional(),
  attributes: samlAttributes.default({}),
  /** The format of name IDs to ask for; absent: the provider chooses. */
  name_id_format: text.optional(),
  /** Whether people can begin at the provider. */
  idp_initiated: z.boolean().default(true),
  /** Whether a log-out here also logs out there. */
  single_log_out: z.boolean().default(true),
})

export const provider = z
  .discriminatedUnion('kind', [google, github, oidc, gitlab, microsoft, apple, saml])
  .superRefine((one, ctx) => {
    if (one.kind === 'saml' && one.metadata === undefined) {
      for (const key of ['entity_id', 'sso_url', 'certificates'] as const)
        if (one[key] === undefined)
          ctx.addIssue({ code: 'custom', path: [key], message: 'is missing, and there is no metadata' })
    }
    if (one.allow_unencrypted) return
    for (const [key, value] of [...urlsOf(one)]) {
      if (value.startsWith('http:'))
        ctx.addIssue({
          ...{ code: 'custom', path: [key] },
          message: 'is unencrypted: use https://, or allow_unencrypted to try things out',
        })
    }
  })
export type ProviderSettings = z.output<typeof provider>

function urlsOf(one: ProviderSettings): [key: string, url: string][] {
  switch (one.kind) {
    case 'github':
      return [
        ['url', one.url],
        ['api_url', one.api_url],
      ]
    case 'saml':
      return [
        ['sso_url', one.sso_url ?? ''],
        ['slo_url', one.slo_url ?? ''],
      ]
    default:
      return [['issuer', one.issuer]]
  }
}

/** The providers of an organization; with a subdomain of null, those that aren't limited to some. */
export function findProviders(
  providers: readonly ProviderSettings[],
  subdomain: string | null,
): ProviderSettings[] {
  const isOwn = (one: ProviderSettings) => subdomain !== null && one.organizations?.includes(subdomain)
  const own = new Set(providers.filter(isOwn).map(idOf))
  return providers.filter((one) => isOwn(one) || (one.organizations === undefined && !own.has(idOf(one))))
}

/** Its name in the API and in settings: unique in an organization. */
export function idOf(one: ProviderSettings): string {
  const { backend } = providerKinds[one.kind]
  return 'name' in one ? `${backend}:${one.name}` : backend
}

/** Its part of the paths of log-in and sign-up: `google`, `oidc`, `oidc/partner`, `saml/corp`. */
export function pathOf(one: ProviderSettings): string {
  const { backend } = providerKinds[one.kind]
  if (one.kind === 'saml') return `${backend}/${one.name}`
  return one.kind !== 'oidc' || one.name === backend ? backend : `${backend}/${one.name}`
}
