import {
  badRequest,
  type DirectorySettings,
  findDirectory,
  findProviders,
  findRemoteUser,
  idOf,
  type internal,
  type JwtIssuerSettings,
  methodOfKind,
  type ProviderSettings,
  pathOf,
  REMOTE_USER_ID,
  type RealmProjection,
  type RemoteUserSettings,
  type SignOnCheck,
} from '@tms/contracts'
import type { ClientTls, InternalHandler } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { openSettings } from '../directory/directory-settings.ts'
import { addressOfRemoteUser } from '../external-sign-on/remote-user.rules.ts'
import type { SignOnContext } from '../external-sign-on/sign-on-context.ts'
import { redirectUriOf } from '../external-sign-on/start-sign-in.ts'
import { createTokenIssuer } from '../external-sign-on/token-issuer.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { readSecret } from '../kernel/sign-on/read-secret.ts'
import { isSamlProvider } from '../providers/saml/saml-providers.ts'
import { checkAccount } from './check-account.ts'
import { checkDirectory } from './check-directory.ts'
import { checkProvider } from './check-provider.ts'
import { checkSaml } from './check-saml.ts'
import { reasonOf, Steps } from './steps.ts'

export interface CheckContext extends DirectoryContext, SignOnContext {
  /** For connections to directories and providers. */
  readonly outwardTls: ClientTls
}

type SamlSettings = Extract<ProviderSettings, { kind: 'saml' }>
type OAuthSettings = Exclude<ProviderSettings, SamlSettings>

interface Asked {
  readonly realm: RealmProjection
  readonly as: string | null
}

/** One configured way to sign in. */
interface Way {
  readonly id: string
  /** By which an operator may also name it. */
  readonly names: readonly string[]
  readonly check: (context: CheckContext, asked: Asked) => Promise<Steps>
}

export const handleCheckSignOn: InternalHandler<typeof internal.users.checkSignOn, CheckContext> = async (
  { realm_id, method, as },
  context,
) => {
  const realm = await getRealm(context, realm_id)
  const all = listWays(context)
  const chosen =
    method === null ? all : all.filter(({ id, names }) => id === method || names.includes(method))
  if (chosen.length === 0)
    throw badRequest(`SIGN_ON has no ‘${method}’: it has ${all.map(({ id }) => id).join(', ')}`)
  return { checks: await Promise.all(chosen.map((way) => runCheck(way, context, { realm, as }))) }
}

async function runCheck({ id, check }: Way, context: CheckContext, asked: Asked): Promise<SignOnCheck> {
  const steps = await check(context, asked).catch((err: unknown) => {
    const failed = new Steps()
    failed.wrong(reasonOf(err))
    return failed
  })
  return { method: id, is_working: steps.isWorking, steps: [...steps.list] }
}

function listWays({ signOn }: CheckContext): Way[] {
  const directories = signOn.ldap?.directories ?? []
  return [
    ...(signOn.email ? [emailWay] : []),
    ...directories.map((directory, index) => directoryWay(directory, index)),
    ...signOn.providers.map((provider, index) =>
      provider.kind === 'saml' ? samlWay(provider) : providerWay(provider, index),
    ),
    ...(signOn.remote_user ? [proxyWay(signOn.remote_user)] : []),
    ...signOn.jwt.map(tokenWay),
  ]
}

const emailWay: Way = {
  id: 'email',
  names: [],
  check: async (context, { realm, as }) => {
    const steps = new Steps()
    steps.ok('passwords are stored here')
    if (checkOffer(context, realm, steps, { method: 'Email', isOffered: true }) && as !== null)
      await checkAccount(context, realm, steps, { email: as, fullName: null, isOfDirectory: false })
    return steps
  },
}

const directoryWay = (directory: DirectorySettings, index: number): Way => ({
  id: `ldap:${directory.name}`,
  names: ['ldap'],
  check: async (context, { realm, as }) => {
    const settings = openSettings(context.signOn)[index]
    if (!settings) throw new Error(`there is no directory ${index}`)
    const steps = new Steps([settings.service_account?.password ?? ''])
    const person = await checkDirectory(steps, settings, context.outwardTls, as)
    const isOffered = findDirectory(context.signOn, realm.string_id)?.name === directory.name
    if (!checkOffer(context, realm, steps, { method: 'LDAP', isOffered, ...directory })) return steps
    if (person?.email)
      await checkAccount(context, realm, steps, { ...person, email: person.email, isOfDirectory: true })
    return steps
  },
})

const samlWay = (settings: SamlSettings): Way => ({
  id: idOf(settings),
  names: [settings.kind, pathOf(settings), settings.name],
  check: async (context, { realm, as }) => {
    const { providers, signOn, externalUrl, now } = context
    const steps = new Steps()
    const provider = providers.get(settings)
    if (!provider || !isSamlProvider(provider)) throw new Error(`there is no provider ${settings.name}`)
    checkSaml(steps, provider, { externalUrl, hasKey: signOn.saml !== undefined, now: now() })
    const isOffered = findProviders(signOn.providers, realm.string_id).includes(settings)
    if (checkOffer(context, realm, steps, { method: 'SAML', isOffered, ...settings }) && as !== null)
      await checkAccount(context, realm, steps, { email: as, fullName: null, isOfDirectory: false })
    return steps
  },
})

const providerWay = (settings: OAuthSettings, index: number): Way => ({
  id: idOf(settings),
  names: [settings.kind, pathOf(settings), settings.kind === 'oidc' ? settings.name : ''],
  check: async (context, { realm, as }) => {
    const key = (name: string) => `providers.${index}.${name}`
    const secret =
      settings.kind === 'apple'
        ? readSecret(settings.private_key, key('private_key'))
        : readSecret(settings.client_secret, key('client_secret'))
    const ca = settings.ca === undefined ? null : readSecret(settings.ca, key('ca'))
    const steps = new Steps([secret])
    const redirectUri = redirectUriOf(context, pathOf(settings))
    await checkProvider(steps, { settings, secret, ca, tls: context.outwardTls, redirectUri })
    const isOffered = findProviders(context.signOn.providers, realm.string_id).includes(settings)
    const method = methodOfKind(settings.kind)
    if (checkOffer(context, realm, steps, { method, isOffered, ...settings }) && as !== null)
      await checkAccount(context, realm, steps, { email: as, fullName: null, isOfDirectory: false })
    return steps
  },
})

const proxyWay = ({ organizations, append_domain: domain }: RemoteUserSettings): Way => ({
  id: REMOTE_USER_ID,
  names: ['remote_user', 'sso'],
  check: async (context, { realm, as }) => {
    const steps = new Steps()
    steps.note(
      'proxy: the gateway needs REMOTE_USER_HEADER and REMOTE_USER_PROXIES; whether the proxy sends the header shows only at a sign-in',
    )
    const isOffered = findRemoteUser(context.signOn, realm.string_id) !== null
    if (!checkOffer(context, realm, steps, { method: 'RemoteUser', isOffered, organizations }) || as === null)
      return steps
    const email = addressOfRemoteUser(as, { append_domain: domain })
    if (email === null) steps.wrong(`proxy: the name ‘${as}’ leads to no e-mail address`)
    else await checkAccount(context, realm, steps, { email, fullName: null, isOfDirectory: false })
    return steps
  },
})

const tokenWay = (settings: JwtIssuerSettings, index: number): Way => ({
  id: `jwt:${settings.organization === '' ? '.' : settings.organization}`,
  names: ['jwt'],
  check: async (context, { realm, as }) => {
    const steps = new Steps()
    await createTokenIssuer(settings, `jwt.${index}.key`)
    steps.ok(`key: there is one for ${settings.algorithm}`)
    const where = `${realm.name} (${realm.url})`
    if (settings.organization !== realm.string_id) {
      const other = settings.organization === '' ? '.' : settings.organization
      steps.wrong(`organization: it is not for ${where}, but for ${other}, which --organization checks`)
      return steps
    }
    steps.ok(`organization: tokens are sent to ${realm.url}/accounts/login/jwt/`)
    if (as !== null)
      await checkAccount(context, realm, steps, { email: as, fullName: null, isOfDirectory: false })
    return steps
  },
})

/** Whether the organization has the method, and has it on. */
function checkOffer(
  context: CheckContext,
  realm: RealmProjection,
  steps: Steps,
  offer: {
    readonly method: ReturnType<typeof methodsOf>[number]
    readonly isOffered: boolean
    readonly organizations?: readonly string[] | undefined
  },
): boolean {
  const { method, isOffered, organizations } = offer
  const where = `${realm.name} (${realm.url})`
  if (!isOffered) {
    const others = organizations?.map((name) => (name === '' ? '.' : name)).join(', ')
    return steps.wrong(
      `organization: ${where} doesn’t use it: ${others === undefined ? 'it has its own' : `it is for ${others}, which --organization checks`}`,
    )
  }
  if (!methodsOf(context, realm).includes(method))
    return steps.wrong(`organization: ${where} has switched ${method} off`)
  return steps.ok(`organization: ${where} has ${method} on`)
}
