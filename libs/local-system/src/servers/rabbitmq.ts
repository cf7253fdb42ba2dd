import { join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { findInPath, findVersioned, isExecutable } from './find-binary.ts'
import { loadInstanceSettings, portOf } from './instance-settings.ts'
import { epmdProcess, pidFileOf, RABBITMQ_STOP_TIMEOUT_MS, startRabbitmqNode } from './rabbitmq-node.ts'
import type { ProvideOptions, ServerHandle } from './server.ts'

/**
 * The start script to use; null if RabbitMQ is not installed. Debian's program in PATH is a wrapper that insists on
 * changing the user and on its own home, so the script behind it comes first.
 */
export function findRabbitmq(env: NodeJS.ProcessEnv): string | null {
  const behindWrapper = '/usr/lib/rabbitmq/bin/rabbitmq-server'
  if (isExecutable(behindWrapper)) return behindWrapper
  const packaged = findVersioned('/usr/lib/rabbitmq/lib', 'sbin/rabbitmq-server')
  return packaged[0] ?? findInPath(['rabbitmq-server'], env)
}

/** Starts a private RabbitMQ, with its own epmd (Erlang's name server), on `<dataDir>/rabbitmq`. */
export async function startRabbitmq(script: string, options: ProvideOptions): Promise<ServerHandle> {
  const { dataDir } = options
  // First, because leftovers of a crashed start still use the stored ports; the node before its epmd, without which
  // it can't stop cleanly.
  for (const pidFile of [pidFileOf(dataDir, 'rabbitmq'), join(dataDir, 'epmd.pid')]) {
    await stopLeftover(pidFile, 'SIGTERM', RABBITMQ_STOP_TIMEOUT_MS)
  }
  const settings = await loadInstanceSettings(dataDir, 'rabbitmq', ['main', 'distribution', 'epmd'])
  const epmdPort = portOf(settings, 'epmd')
  return startRabbitmqNode(script, options, {
    instance: 'rabbitmq',
    settings,
    nodeName: `tms-${settings.id}@localhost`,
    secret: settings.password,
    epmdPort,
    // Started by us, in the foreground, because the one that Erlang starts itself outlives the node.
    sidecar: epmdProcess(options, epmdPort),
  })
}
