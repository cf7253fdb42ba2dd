import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateFile } from '../process/private-file.ts'
import { findInPath } from './find-binary.ts'
import { loadInstanceSettings, portOf } from './instance-settings.ts'
import { startPrivateServer } from './private-server.ts'
import type { ProvideOptions, ServerHandle } from './server.ts'

const STOP_TIMEOUT_MS = 30_000

/** The program to use; null when none is installed. Valkey is Redis under another name. */
export function findRedis(env: NodeJS.ProcessEnv): string | null {
  return findInPath(['redis-server', 'valkey-server'], env)
}

/** Starts a private Redis on `<dataDir>/redis`: append-only file, synced every second. */
export async function startRedis(binary: string, options: ProvideOptions): Promise<ServerHandle> {
  const { dataDir, logDir, env } = options
  const pidFile = join(dataDir, 'redis.pid')
  // Before anything else, because what a crashed start left behind still holds the remembered port.
  await stopLeftover(pidFile, 'SIGTERM', STOP_TIMEOUT_MS)
  const settings = await loadInstanceSettings(dataDir, 'redis', ['main'])
  const port = portOf(settings, 'main')
  const home = join(dataDir, 'redis')
  const configPath = join(dataDir, 'redis.conf')
  mkdirSync(home, { recursive: true })
  // A file and not arguments: arguments, and so the password, can be read by every user of the machine.
  writePrivateFile(
    configPath,
    [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${settings.password}`,
      'daemonize no',
      `dir "${home}"`,
      'appendonly yes',
      'appendfsync everysec',
      'save ""',
      '',
    ].join('\n'),
  )
  return startPrivateServer({
    name: 'redis',
    url: `redis://:${settings.password}@127.0.0.1:${port}/0`,
    logPath: join(logDir, 'redis.log'),
    process: {
      command: binary,
      args: [configPath],
      env,
      cwd: home,
      pidFile,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    onUnexpectedExit: options.onUnexpectedExit,
    signal: options.signal,
  })
}
