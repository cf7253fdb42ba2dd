import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { findInPath } from './find-binary.ts'
import type { ServerName } from './server.ts'

const packageNames: Record<ServerName, string> = {
  postgres: 'postgresql',
  redis: 'redis-server',
  rabbitmq: 'rabbitmq-server',
}

/** System services that come with the packages. */
const unitNames: Record<ServerName, string[]> = {
  postgres: ['postgresql.service'],
  redis: ['redis-server.service'],
  rabbitmq: ['rabbitmq-server.service', 'epmd.socket', 'epmd.service'],
}

/** Debian's tools ask this program whether a package may start its services. */
const POLICY_PROGRAM = '/usr/sbin/policy-rc.d'
const DENY_ALL = '#!/bin/sh\n# Written by the Team Messaging Service while it installs packages.\nexit 101\n'

export function canInstallPackages(env: NodeJS.ProcessEnv): boolean {
  return process.getuid?.() === 0 && findInPath(['apt-get'], env) !== null
}

/**
 * Installs the packages of these servers, of which only the programs are needed: their services on the standard ports
 * must not start, now or at the next boot. Throws with apt's output.
 */
export function installServers(servers: readonly ServerName[], env: NodeJS.ProcessEnv): Promise<void> {
  const packages = servers.map((name) => packageNames[name])
  const units = servers.flatMap((name) => unitNames[name])
  return installPackages(packages, env, units)
}

/** Installs packages; `units` are their services that must not run. Throws with apt's output. */
export async function installPackages(
  packages: readonly string[],
  env: NodeJS.ProcessEnv,
  units: readonly string[] = [],
): Promise<void> {
  const childEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
  const hasPolicy = existsSync(POLICY_PROGRAM)
  if (!hasPolicy) writeFileSync(POLICY_PROGRAM, DENY_ALL, { mode: 0o755 })
  try {
    // One unreachable source among several must not matter here; if it does, the install fails with the reason.
    await run('apt-get', ['update', '-q'], childEnv).catch(() => undefined)
    const options = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
    await run('apt-get', ['install', ...options, ...packages], childEnv)
  } finally {
    if (!hasPolicy) rmSync(POLICY_PROGRAM, { force: true })
  }
  if (findInPath(['systemctl'], env)) {
    // One at a time, because a unit that doesn't exist in this version of the package would prevent the rest.
    for (const unit of units)
      await run('systemctl', ['disable', '--now', unit], childEnv).catch(() => undefined)
  }
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output.trimEnd()}`)
}
