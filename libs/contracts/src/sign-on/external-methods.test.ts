import { describe, expect, test } from 'vitest'
import { externalMethodsOf } from './external-methods.ts'
import { availableMethods, signOnSettings } from './sign-on-settings.ts'

const client = { client_id: 'chat', client_secret: 'x' }
const issuer = 'https://id.example.com'
const settings = signOnSettings.parse({
  providers: [
    { ...client, kind: 'gitlab' },
    { ...client, kind: 'oidc', name: 'partner', issuer, organizations: ['sales'], display_name: 'Partner' },
    { ...client, kind: 'oidc', issuer },
    { ...client, kind: 'google', display_icon: 'https://img.example.com/g.png' },
    { ...client, kind: 'oidc', issuer: 'https://sales.example.com', organizations: ['sales'] },
  ],
})

describe('externalMethodsOf', () => {
  test('has names, pictures and paths as clients read them, in the order of log-in pages', () => {
    expect(externalMethodsOf(settings, '')).toEqual([
      {
        name: 'google',
        display_name: 'Google',
        display_icon: 'https://img.example.com/g.png',
        login_url: '/accounts/login/social/google',
        signup_url: '/accounts/register/social/google',
      },
      {
        name: 'oidc:oidc',
        display_name: 'OIDC',
        display_icon: null,
        login_url: '/accounts/login/social/oidc',
        signup_url: '/accounts/register/social/oidc',
      },
      {
        name: 'gitlab',
        display_name: 'GitLab',
        display_icon: null,
        login_url: '/accounts/login/social/gitlab',
        signup_url: '/accounts/register/social/gitlab',
      },
    ])
  })

  test('lists providers that are limited to an organization there alone, before those of the same name', () => {
    const partner = { display_name: 'Partner', login_url: '/accounts/login/social/oidc/partner' }
    const names = (subdomain: string | null) => externalMethodsOf(settings, subdomain).map(({ name }) => name)
    expect(externalMethodsOf(settings, 'sales')).toContainEqual(expect.objectContaining(partner))
    expect(names('sales')).toEqual(['google', 'oidc:partner', 'oidc:oidc', 'gitlab'])
    expect(names(null)).toEqual(['google', 'oidc:oidc', 'gitlab'])
  })

  test('leaves out what the organization has switched off', () => {
    const names = externalMethodsOf(settings, 'sales', ['OpenID Connect', 'GitLab']).map(({ name }) => name)
    expect(names).toEqual(['google'])
  })
})

test('an organization can switch what its providers are, and nothing else', () => {
  expect(availableMethods(settings, '')).toEqual(['Email', 'GitLab', 'Google', 'OpenID Connect'])
  expect(availableMethods(signOnSettings.parse({}), '')).toEqual(['Email'])
})

describe('a proxy that signs users in', () => {
  const proxied = signOnSettings.parse({
    ...{ email: false, remote_user: { organizations: ['sales'], append_domain: 'Example.COM' } },
    providers: [{ ...client, kind: 'google' }],
  })

  test('stands before other sites, where the organization has it and has it on', () => {
    const [first, ...others] = externalMethodsOf(proxied, 'sales')
    expect(first).toEqual({
      ...{ name: 'remoteuser', display_name: 'SSO', display_icon: null },
      ...{ login_url: '/accounts/login/start/sso/', signup_url: '/accounts/login/start/sso/' },
    })
    const namesOf = (...from: Parameters<typeof externalMethodsOf>) =>
      externalMethodsOf(...from).map(({ name }) => name)
    expect(others.map(({ name }) => name)).toEqual(['google'])
    expect(namesOf(proxied, '')).toEqual(['google'])
    expect(namesOf(proxied, null)).toEqual(['google'])
    expect(namesOf(proxied, 'sales', ['RemoteUser'])).toEqual(['google'])
  })

  test('is a method that its organizations switch', () => {
    expect(availableMethods(proxied, 'sales')).toEqual(['RemoteUser', 'Google'])
    expect(availableMethods(proxied, '')).toEqual(['Google'])
  })
})
