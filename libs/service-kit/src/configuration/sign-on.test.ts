import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseEnvironment } from '../validation/parse-environment.ts'
import { signOnVariables } from './variables.ts'

const directory = {
  name: 'corp',
  url: 'ldaps://ldap.example.com',
  service_account: { dn: 'cn=reader,dc=example,dc=com', password: { file: '/run/secrets/ldap' } },
  base: 'ou=people,dc=example,dc=com',
  filter: '(uid={name})',
  attributes: { email: 'mail', full_name: 'cn' },
}
const parse = (settings: unknown) =>
  parseEnvironment(z.object(signOnVariables), {
    SIGN_ON: typeof settings === 'string' ? settings : JSON.stringify(settings),
  }).SIGN_ON
const provider = { kind: 'oidc', issuer: 'https://id.example.com', client_id: 'chat', client_secret: 'x' }
const issuer = { organization: '', algorithm: 'HS256', key: 'x' }
const withProvider = (change: object) => ({ providers: [{ ...provider, ...change }] })
const saml = {
  ...{ kind: 'saml', name: 'corp', entity_id: 'https://id.example.com', certificates: ['MII'] },
  sso_url: 'https://id.example.com/sso?idp=1',
}
const withSaml = (change: object) => ({ providers: [{ ...saml, ...change }] })
const withDirectory = (change: object) => ({ ldap: { directories: [{ ...directory, ...change }] } })

describe('SIGN_ON', () => {
  test('without it, users sign in by e-mail address and password', () => {
    expect(parse('')).toEqual({ email: true, providers: [], jwt: [], auto_sign_in: false })
  })

  test('takes a directory', () => {
    expect(parse({ ldap: { directories: [directory] } })).toMatchObject({
      email: true,
      ldap: { directories: [{ name: 'corp', start_tls: false, timeout_seconds: 5 }] },
    })
  })

  test('takes several providers, each with its own secret', () => {
    const { issuer: _, ...known } = { ...provider, kind: 'google' }
    const settings = { email: false, providers: [provider, { ...provider, name: 'partner' }, known] }
    expect(parse(settings)).toMatchObject({
      email: false,
      providers: [
        { kind: 'oidc', name: 'oidc', scopes: ['openid', 'profile', 'email'], trusts_addresses: false },
        { kind: 'oidc', name: 'partner', auto_signup: false },
        { kind: 'google', issuer: 'https://accounts.google.com', timeout_seconds: 5 },
      ],
    })
  })

  test('takes a SAML provider by its metadata, or by what they contain', () => {
    const { entity_id: _, certificates: __, sso_url: ___, ...bare } = saml
    expect(
      parse({ providers: [saml, { ...bare, name: 'other', metadata: { file: '/x.xml' } }] }),
    ).toMatchObject({
      providers: [
        { kind: 'saml', name: 'corp', idp_initiated: true, attributes: {} },
        { kind: 'saml', name: 'other', metadata: { file: '/x.xml' } },
      ],
    })
  })

  test.each<[string, unknown, string]>([
    ['text that is no JSON', '{', 'SIGN_ON is no JSON'],
    ['an unknown key', { cas: {} }, 'as a whole must not have "cas"'],
    [
      'an unknown key of a directory',
      withDirectory({ bind: 'x' }),
      'ldap.directories.0 must not have "bind"',
    ],
    ['a missing key', withDirectory({ base: undefined }), 'ldap.directories.0.base is missing'],
    ['no method', { email: false }, 'email is the only method and off'],
    [
      'a password in the clear',
      withDirectory({ url: 'ldap://ldap.example.com' }),
      'ldap.directories.0.url would send passwords unencrypted',
    ],
    ['a URL of something else', withDirectory({ url: 'https://x' }), 'ldap.directories.0.url is no ldap://'],
    [
      'a filter without the name',
      withDirectory({ filter: '(uid=ada)' }),
      'ldap.directories.0.filter has no {name}',
    ],
    ['a broken filter', withDirectory({ filter: '(uid={name}))' }), 'ldap.directories.0.filter is no filter'],
    [
      'no way to the address',
      withDirectory({ attributes: { full_name: 'cn' } }),
      'ldap.directories.0.email_domain or attributes.email is needed',
    ],
    [
      'no name',
      withDirectory({ attributes: { email: 'mail' } }),
      'ldap.directories.0.attributes names no attribute of the name',
    ],
    [
      'two ways to bind',
      withDirectory({ direct_bind: 'uid={name},dc=example,dc=com' }),
      'ldap.directories.0.service_account or direct_bind is needed, and not both',
    ],
    [
      'an organization with two directories',
      {
        ldap: {
          directories: [
            { ...directory, organizations: ['sales'] },
            { ...directory, name: 'other', organizations: ['sales'] },
          ],
        },
      },
      "ldap.directories.1.organizations has 'sales', like another directory",
    ],
    ['a provider of no kind', withProvider({ kind: 'x' }), 'providers.0.kind'],
    [
      'a provider that is reached unencrypted',
      withProvider({ issuer: 'http://id.example.com' }),
      'providers.0.issuer is unencrypted',
    ],
    [
      'an issuer with a query',
      withProvider({ issuer: 'https://id.example.com/?x' }),
      'providers.0.issuer is no https:// URL',
    ],
    [
      'a script as a picture',
      withProvider({ display_icon: 'javascript:alert(1)' }),
      'providers.0.display_icon is no https:// URL',
    ],
    ['a provider without a secret', withProvider({ client_secret: undefined }), 'providers.0.client_secret'],
    [
      'every tenant of Microsoft',
      withProvider({ kind: 'microsoft', tenant: 'common', issuer: undefined }),
      'providers.0.tenant admits everybody',
    ],
    [
      'a SAML provider without certificates',
      withSaml({ certificates: undefined }),
      'providers.0.certificates is missing, and there is no metadata',
    ],
    [
      'a SAML provider that is reached unencrypted',
      withSaml({ slo_url: 'http://id.example.com' }),
      'providers.0.slo_url is unencrypted',
    ],
    ['a SAML provider without a name', withSaml({ name: undefined }), 'providers.0.name is missing'],
    ['a key of SAML without its certificate', { saml: { private_key: 'x' } }, 'saml.certificate is missing'],
    [
      'two providers of a name',
      { providers: [provider, provider] },
      'providers.1.organizations has all organizations, like another provider',
    ],
    [
      'a domain that is none',
      { remote_user: { append_domain: 'x' } },
      'remote_user.append_domain is no domain',
    ],
    ['a token without an algorithm', { jwt: [{ organization: '', key: 'x' }] }, 'jwt.0.algorithm'],
    ['unsigned tokens', { jwt: [{ ...issuer, algorithm: 'none' }] }, 'jwt.0.algorithm'],
    [
      'two keys of an organization',
      { jwt: [issuer, { ...issuer, key: 'y' }] },
      'jwt.1.organization is taken by another entry',
    ],
    [
      'one key for two organizations',
      { jwt: [issuer, { ...issuer, organization: 'sales' }] },
      'jwt.1.key is that of another organization',
    ],
  ])('refuses %s and names the key', (_, settings, message) => {
    expect(() => parse(settings)).toThrow(message)
  })
})
