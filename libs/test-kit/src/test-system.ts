import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { internal, Role } from '@tms/contracts'
import {
  createFirstOrganization,
  createOrganization,
  type ServerName,
  type Servers,
  type ServiceName,
  type System,
  startSystem,
  type Topology,
  tlsOf,
} from '@tms/local-system'
import { createInternalClient, createInternalTokenSource, LOCK_OUT_OF_ORDER } from '@tms/service-kit'
import { type Account, ApiClient, type HttpExchange } from './api-client.ts'
import { createTestFolder } from './test-folder.ts'
import { type OwnServers, provideTestServers } from './test-servers.ts'

const repoRoot = fileURLToPath(new URL('../../..', import.meta.url))
/** A machine that runs two test suites at once needs time to start a dozen processes. */
const READY_TIMEOUT_MS = 150_000
const OWNER_PASSWORD = 'a long password of the owner'

/** An organization with its clients. */
export interface TestOrganization {
  readonly realmId: number
  readonly owner: ApiClient
  readonly ownerPassword: string
  /** A client without credentials. */
  readonly anonymous: ApiClient
  /** Creates an account, by default a member, and signs it in. The default name is unique. See `usersHavePasswords`. */
  createUser(fullName?: string, options?: { role?: Role; hasPassword?: boolean }): Promise<ApiClient>
}

/** The whole product for one test file, with its default organization. */
export interface TestSystem extends TestOrganization {
  readonly system: System
  readonly servers: Servers
  readonly baseUrl: string
  /** Creates another organization. Its clients need a gateway that trusts proxies (`TRUST_PROXY`). */
  createOrganization(subdomain: string): Promise<TestOrganization>
  stop(): Promise<void>
}

interface TestSystemOptions {
  readonly replicas?: Partial<Record<ServiceName, number>>
  readonly env: NodeJS.ProcessEnv
  /** Uses servers that no other test file shares, all or these, so the test may stop and kill them. */
  readonly ownServers?: OwnServers
  /** Default: `TEST_TOPOLOGY`. */
  readonly topology?: Topology
  /**
   * Servers and services accept TLS only, as `TLS_…_FILE` in the environment configure it; the gateway serves plain
   * HTTP.
   */
  readonly requiresTls?: boolean
  /** Services connect to the returned URLs, of the test's proxies, instead of the servers' own. */
  readonly proxyServers?: (servers: Servers) => Promise<Partial<Record<ServerName, string>>>
  /** Port of the gateway; default: a free one. */
  readonly gatewayPort?: number
  /** Environment variables of the services. */
  readonly serviceEnv?: NodeJS.ProcessEnv
  /**
   * Default: `TEST_LOG_LEVEL` in the environment, or warnings: writing and reading a line for each request takes CPU of every
   * process.
   */
  readonly logLevel?: 'debug' | 'info' | 'warn'
  /**
   * Whether users that `createUser` creates have a password, unless its call says so: `password of` and their address. Without one is
   * for tests in which few of them sign in, since hashing it takes as long as the rest. Default: true.
   */
  readonly usersHavePasswords?: boolean
  /** Called with every answer to the system's clients. */
  readonly onAnswer?: (exchange: HttpExchange) => void
}

/** The whole product without any organization. */
export type EmptySystem = Pick<TestSystem, 'system' | 'servers' | 'baseUrl' | 'stop'>

/** At most so many locks out of order are reported. */
const MAX_LINES = 10

/**
 * Starts services, and servers if needed. Takes some seconds. `stop` rejects if a service took a lock out of order
 * meanwhile.
 */
export async function startEmptySystem(options: TestSystemOptions): Promise<EmptySystem> {
  const { replicas, env, ownServers = false, topology, requiresTls = false, serviceEnv } = options
  const dataDir = createTestFolder(env)
  const provided = await provideTestServers({
    dataDir,
    env,
    topology,
    requiresTls: requiresTls,
    wantsOwn: requiresTls || ownServers,
  })
  const { servers, namespace, template, isShared } = provided
  const outOfOrder: string[] = []
  try {
    const system = await startSystem({
      servers,
      urlsForServices: (await options.proxyServers?.(servers)) ?? {},
      repoRoot,
      dataDir,
      env,
      namespace,
      template,
      gatewayPort: options.gatewayPort,
      servesTls: requiresTls,
      logLevel: options.logLevel ?? env['TEST_LOG_LEVEL'] ?? 'warn',
      onLine: (name, line) => {
        if (line.includes(LOCK_OUT_OF_ORDER)) outOfOrder.push(`${name}: ${line}`)
      },
      readyTimeoutMs: READY_TIMEOUT_MS,
      ...(replicas === undefined ? {} : { replicas }),
      // Tests send more requests than people do, and more wrong passwords.
      extraEnv: {
        RATE_LIMIT_PER_MINUTE: '0',
        ANONYMOUS_CALLS_PER_MINUTE: '0',
        FAILED_LOGINS_PER_MINUTE: '0',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
        ...serviceEnv,
      },
    })
    return {
      system,
      servers,
      baseUrl: system.baseUrl,
      stop: async () => {
        await system.stop({ dropDatabases: isShared })
        await servers.stop()
        rmSync(dataDir, { recursive: true, force: true })
        if (outOfOrder.length > 0) throw new Error(outOfOrder.slice(0, MAX_LINES).join('\n'))
      },
    }
  } catch (err) {
    await servers.stop()
    throw err
  }
}

/** A test that makes the whole system busy still creates users meanwhile. */
const CREATE_TIMEOUT_MS = 30_000

/** Starts the whole product with its first organization. */
export async function startTestSystem(options: TestSystemOptions): Promise<TestSystem> {
  const { onAnswer, usersHavePasswords = true } = options
  const empty = await startEmptySystem(options)
  const { system } = empty
  try {
    const [gateway, users, realm] = [system.baseUrl, system.urls.users[0], system.urls.realm[0]]
    if (users === undefined || realm === undefined) throw new Error('a service has no replica')
    const internalPrivateKey = system.keys.internal.privateKey
    const urls = { gateway, users, realm }
    const tls = tlsOf(options.env)
    const account = await createFirstOrganization({
      urls,
      internalPrivateKey,
      tls,
      password: OWNER_PASSWORD,
    })
    if (!account) throw new Error('the first organization has another owner')
    const token = createInternalTokenSource('test-kit', internalPrivateKey)
    const call = createInternalClient(system.urls, token, tls)
    const { realms } = await call(internal.realm.listRealmProjections, {})
    const realmId = realms[0]?.realm_id
    if (realmId === undefined) throw new Error('there is no organization')
    let created = 0
    const organizationAt = (id: number, owner: Account, host: string | null): TestOrganization => {
      const clientOf = (one: Account | null) => new ApiClient(system.baseUrl, one, onAnswer, host)
      return {
        realmId: id,
        owner: clientOf(owner),
        ownerPassword: OWNER_PASSWORD,
        anonymous: clientOf(null),
        createUser: async (fullName = `User ${++created}`, options = {}) => {
          const { role = Role.member, hasPassword = usersHavePasswords } = options
          const email = `${fullName.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.com`
          const password = hasPassword ? `password of ${email}` : null
          const user = { email, password, full_name: fullName, role }
          const callOptions = { timeoutMs: CREATE_TIMEOUT_MS }
          const { user_id, api_key } = await call(
            internal.users.ensureUser,
            { realm_id: id, ...user },
            callOptions,
          )
          return clientOf({ email, apiKey: api_key, userId: user_id })
        },
      }
    }
    return {
      ...organizationAt(realmId, account, null),
      ...empty,
      createOrganization: async (subdomain) => {
        const host = `${subdomain}.${system.externalHost}`
        const { realmId: id, owner } = await createOrganization({
          urls,
          subdomain,
          name: `The ${subdomain} organization`,
          address: `http://${host}`,
          internalPrivateKey,
          tls,
          owner: { email: account.email, fullName: `Owner of ${subdomain}`, password: OWNER_PASSWORD },
        })
        if (!owner) throw new Error(`${subdomain} has another owner`)
        return organizationAt(id, owner, host)
      },
    }
  } catch (err) {
    await empty.stop()
    throw err
  }
}
