import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateFile } from '../process/private-file.ts'
import { findInPath, findVersioned, isExecutable } from './find-binary.ts'
import { type InstanceSettings, loadInstanceSettings, portOf } from './instance-settings.ts'
import { startPrivateServer } from './private-server.ts'
import type { ProvideOptions, ServerHandle } from './server.ts'

const USER = 'tms'
const STOP_TIMEOUT_MS = 60_000

/**
 * The start script to use; null when RabbitMQ is not installed. Debian's program in PATH is a wrapper that
 * insists on changing the user and on a home of its own, so the script behind it comes first.
 */
export function findRabbitmq(env: NodeJS.ProcessEnv): string | null {
  const behindWrapper = '/usr/lib/rabbitmq/bin/rabbitmq-server'
  if (isExecutable(behindWrapper)) return behindWrapper
  const packaged = findVersioned('/usr/lib/rabbitmq/lib', 'sbin/rabbitmq-server')
  return packaged[0] ?? findInPath(['rabbitmq-server'], env)
}

/** Starts a private RabbitMQ node, with an epmd (Erlang's name server) of its own, on `<dataDir>/rabbitmq`. */
export async function startRabbitmq(script: string, options: ProvideOptions): Promise<ServerHandle> {
  const { dataDir, logDir } = options
  const pidFile = join(dataDir, 'rabbitmq.pid')
  const epmdPidFile = join(dataDir, 'epmd.pid')
  // Before anything else, because what a crashed start left behind still holds the remembered ports; the node
  // before its epmd, without which it can't stop in good order.
  await stopLeftover(pidFile, 'SIGTERM', STOP_TIMEOUT_MS)
  await stopLeftover(epmdPidFile, 'SIGTERM', STOP_TIMEOUT_MS)
  const settings = await loadInstanceSettings(dataDir, 'rabbitmq', ['main', 'distribution', 'epmd'])
  const home = join(dataDir, 'rabbitmq')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeConfiguration(home, settings)
  const env = nodeEnvironment(home, settings, options)
  const epmd = findInPath(['epmd'], env)
  if (!epmd) throw new Error('RabbitMQ is installed but its epmd (from Erlang) is not in PATH')

  const shared = { env, cwd: home, stopSignal: 'SIGTERM' as const, stopTimeoutMs: STOP_TIMEOUT_MS }
  return startPrivateServer({
    name: 'rabbitmq',
    url: `amqp://${USER}:${settings.password}@127.0.0.1:${portOf(settings, 'main')}`,
    logPath: join(logDir, 'rabbitmq.log'),
    process: {
      ...shared,
      command: script,
      args: [],
      pidFile,
    },
    // Started by us, in the foreground, because the one that Erlang starts by itself outlives the node.
    companion: {
      ...shared,
      command: epmd,
      args: ['-port', String(portOf(settings, 'epmd')), '-address', '127.0.0.1'],
      pidFile: epmdPidFile,
    },
    onUnexpectedExit: options.onUnexpectedExit,
    signal: options.signal,
  })
}

function writeConfiguration(home: string, settings: InstanceSettings): void {
  const config = [
    `listeners.tcp.default = 127.0.0.1:${portOf(settings, 'main')}`,
    `default_user = ${USER}`,
    `default_pass = ${settings.password}`,
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.relative = 0.4',
    '',
  ]
  writePrivateFile(join(home, 'rabbitmq.conf'), config.join('\n'))
  writePrivateFile(join(home, 'enabled_plugins'), '[].\n')
  writePrivateFile(join(home, '.erlang.cookie'), settings.password)
}

/** Everything that would otherwise come from /etc/rabbitmq or /var/lib/rabbitmq points into `home`. */
function nodeEnvironment(
  home: string,
  settings: InstanceSettings,
  options: ProvideOptions,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(options.env).filter(([key]) => !/^(RABBITMQ|ERL)_/.test(key))
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    ERL_EPMD_PORT: String(portOf(settings, 'epmd')),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_CRASH_DUMP: join(options.logDir, 'rabbitmq-crash.dump'),
    RABBITMQ_NODENAME: `tms-${settings.id}@localhost`,
    RABBITMQ_DIST_PORT: String(portOf(settings, 'distribution')),
    RABBITMQ_CONF_ENV_FILE: join(home, 'rabbitmq-env.conf'),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq.conf'),
    RABBITMQ_CONFIG_FILES: join(home, 'conf.d'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(home, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(home, 'generated'),
    RABBITMQ_MNESIA_BASE: join(home, 'data'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_PID_FILE: join(home, 'node.pid'),
    RABBITMQ_LOGS: '-',
    // Makes the script replace itself by the Erlang machine, so that signals reach the node and not a shell.
    RABBITMQ_ALLOW_INPUT: 'true',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1}',
  }
}
