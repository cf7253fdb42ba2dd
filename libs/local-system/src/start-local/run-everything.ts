import { join } from 'node:path'
import { createFirstOrganization, type Owner } from '../first-organization/create-organization.ts'
import { loadOwnerPassword } from '../first-organization/owner-password.ts'
import { launchServers } from '../servers/launch-servers.ts'
import { type Servers, serverTitles } from '../servers/server.ts'
import { invitePeople } from '../sign-on-examples/invite-people.ts'
import { examplePeople } from '../sign-on-examples/people.ts'
import { prepareExamples, type SignOnExamples, startExamples } from '../sign-on-examples/start-examples.ts'
import { replicaName } from '../system/replica.ts'
import { type System, startSystem } from '../system/start-system.ts'
import { chooseGatewayPort } from './gateway-port.ts'
import type { Instance } from './instance-file.ts'
import { ProcessRestarter } from './process-restarter.ts'
import { renderLogLine } from './render-log-line.ts'
import type { StartSettings } from './settings.ts'
import type { Terminal } from './terminal.ts'

export type StartContext = {
  env: NodeJS.ProcessEnv
  repoRoot: string
  dataDir: string
  logDir: string
  terminal: Terminal
  /** Fires when everything has to stop. */
  signal: AbortSignal
}

/** What runs, in the order in which it was started. */
export type Running = { servers?: Servers; examples?: SignOnExamples; system?: System }

const INFO = 30
const WARN = 40
/** Limits for clients, which are off by default here. */
const LIMITS = [
  'RATE_LIMIT_PER_MINUTE',
  'ANONYMOUS_CALLS_PER_MINUTE',
  'FAILED_LOGINS_PER_MINUTE',
  'MAX_CONNECTIONS_PER_ADDRESS',
] as const

/**
 * Starts servers, services and the first organization. Each is entered in `running` as soon as it runs, so that the
 * caller can stop it whatever happens next.
 */
export async function runEverything(
  settings: StartSettings,
  context: StartContext,
  running: Running,
): Promise<Instance> {
  const { env, repoRoot, dataDir, logDir, terminal, signal } = context
  const restarter = new ProcessRestarter({
    print: (line) => terminal.print(terminal.colors.yellow(line)),
    signal,
  })
  let isReady = false
  const password = loadOwnerPassword(join(dataDir, 'owner.json'))
  const choosePort = () => chooseGatewayPort(settings.port, join(dataDir, 'gateway.json'))

  const launched = await launchServers({
    env,
    dataDir,
    logDir,
    mayInstall: settings.mayInstall,
    mayUseDocker: settings.mayUseDocker,
    // A port that is taken ends the start here, not after a minute of installing and starting servers.
    beforeServers: async () => {
      if (settings.port !== undefined) await choosePort()
      await prepareExamples(settings.examples, {
        ...{ env, mayInstall: settings.mayInstall, onStep: terminal.step },
      })
    },
    onStep: terminal.step,
    signal,
    onUnexpectedExit(name, how, lastLines) {
      printCrash(terminal, serverTitles[name], how, lastLines)
      if (running.servers) void restarter.restart(serverTitles[name], running.servers[name])
    },
  })
  const startWaysToSignIn = async (gatewayPort: number) => {
    if (settings.examples.length === 0) return {}
    running.examples = await startExamples(settings.examples, {
      ...{ env, dataDir, logDir, signal, mayInstall: settings.mayInstall, onStep: terminal.step },
      chatUrl: `http://localhost:${gatewayPort}`,
      onUnexpectedExit(process, how, lastLines) {
        printCrash(terminal, process.title, how, lastLines)
        void restarter.restart(process.title, process)
      },
    })
    return { SIGN_ON: running.examples.SIGN_ON }
  }
  const start = async () => {
    // Only now: a gateway that a crashed start left behind, on the same port, was stopped with the leftovers.
    const gatewayPort = await choosePort()
    const signOn = await startWaysToSignIn(gatewayPort)
    return startSystem({
      servers: launched.urls,
      repoRoot,
      dataDir,
      logDir,
      env,
      replicas: settings.replicas,
      gatewayPort,
      logLevel: settings.logLevel,
      // A local system needs no protection from its user; set the variable to try limits.
      extraEnv: { ...Object.fromEntries(LIMITS.map((name) => [name, env[name] ?? '0'])), ...signOn },
      onStep: terminal.step,
      signal,
      onLine(name, line) {
        const minLevel = settings.isVerbose ? INFO : WARN
        const text = renderLogLine(name, line, { colors: terminal.colors, minLevel })
        if (text !== null) terminal.print(text)
      },
      onUnexpectedExit(replica, how, lastLines) {
        if (!isReady) return // a failed start reports itself
        const name = replicaName(replica.service, replica.index)
        printCrash(terminal, name, how, lastLines)
        void restarter.restart(name, replica)
      },
    })
  }
  // Both settle before anything is stopped: what has started meanwhile is in `running`.
  const settled = await Promise.allSettled([
    launched.servers.then((servers) => (running.servers = servers)),
    start().then((system) => (running.system = system)),
  ])
  const failure = settled.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  const { servers, system } = running as Required<Running>

  const owner = settings.wantsOrganization ? await createFirst(system, password, terminal) : null
  if (owner && running.examples) await invitePeople({ gateway: system.baseUrl, owner }, examplePeople)
  isReady = true
  return {
    baseUrl: system.baseUrl,
    externalHost: system.externalHost,
    internalKeyFile: system.internalKeyFile,
    owner,
    servers: { postgres: servers.postgres.url, redis: servers.redis.url, rabbitmq: servers.rabbitmq.url },
    services: system.urls,
    mailUrl: system.mailUrl,
    pid: process.pid,
  }
}

async function createFirst(system: System, password: string, terminal: Terminal): Promise<Owner | null> {
  const created = terminal.step('creating the first organization')
  const owner = await createFirstOrganization({
    urls: { gateway: system.baseUrl, users: first(system.urls.users), realm: first(system.urls.realm) },
    internalPrivateKey: system.keys.internal.privateKey,
    password,
  })
  created('the first organization is there')
  return owner
}

function printCrash(terminal: Terminal, name: string, how: string, lastLines: string[]): void {
  const { colors } = terminal
  const lines = lastLines.flatMap((line) => renderLogLine(name, line, { colors, minLevel: 0 }) ?? [])
  terminal.print([colors.red(`${name} ended unexpectedly (${how}). Its last lines:`), ...lines].join('\n'))
}

function first(urls: string[]): string {
  const [url] = urls
  if (url === undefined) throw new Error('a service without a replica')
  return url
}
