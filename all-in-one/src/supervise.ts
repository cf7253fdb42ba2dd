import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOrganization, type Owner, type System } from '@tms/local-system'
import { readAddress } from './read-address.ts'
import { markMigrated, seedData } from './seed.ts'
import { readyFile, type Settings } from './settings.ts'
import { type Parts, startParts } from './start-parts.ts'

/** Below the ten seconds after which Docker kills the container. Killing loses no data. */
const STOP_TIMEOUT_MS = 8_000

/** Runs everything until SIGTERM, or until a part ends unexpectedly, whose last lines it prints. Returns the exit code; never throws. */
export async function supervise(settings: Settings, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const stopping = new AbortController()
  const { signal } = stopping
  const failures: string[] = []
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stopping.abort())
  const parts: Parts = {}
  let isReady = false
  try {
    const { isMigrated } = seedData(settings.paths)
    rmSync(readyFile(settings.paths), { force: true })
    const system = await startParts(
      {
        paths: settings.paths,
        env,
        port: settings.port,
        ...('url' in settings.address && { externalHost: new URL(settings.address.url).host }),
        logLevel: settings.logLevel,
        isMigrated,
        // Earlier, services log that RabbitMQ or other services don't answer yet.
        onLine: (line) => isReady && print(line),
        onEnd: (name, how, lastLines) => {
          if (signal.aborted) return
          failures.push([`${name} ended unexpectedly (${how}). Its last lines:`, ...lastLines].join('\n'))
          stopping.abort()
        },
        signal,
      },
      parts,
    )
    if (!isMigrated) markMigrated(settings.paths)
    const address = await readAddress(settings.address, signal)
    const owner = await createFirstOrganization(system, address, settings)
    signal.throwIfAborted()
    isReady = true
    writeFileSync(readyFile(settings.paths), '')
    print(formatReadyMessage(address, owner, performance.now() - startedAt))
    await aborted(signal)
  } catch (err) {
    if (!signal.aborted) failures.push(err instanceof Error ? err.message : String(err))
  }
  stopping.abort()
  if (isReady) rmSync(readyFile(settings.paths), { force: true })
  await (failures.length > 0
    ? kill(parts)
    : Promise.race([stop(parts), sleep(STOP_TIMEOUT_MS).then(() => kill(parts))]))
  for (const failure of failures) print(failure)
  return failures.length === 0 ? 0 : 1
}

async function createFirstOrganization(
  system: System,
  address: string,
  { organization }: Settings,
): Promise<Owner | null> {
  const [users, realm] = [system.replica('users').url, system.replica('realm').url]
  const { owner } = await createOrganization({
    urls: { gateway: system.baseUrl, users, realm },
    subdomain: '',
    name: organization.name,
    address,
    internalPrivateKey: system.keys.internal.privateKey,
    owner: organization.owner,
  })
  return owner
}

async function stop({ system, servers }: Parts): Promise<void> {
  await system?.stop()
  await servers?.stop()
}

async function kill({ system, servers }: Parts): Promise<void> {
  await Promise.allSettled([system?.kill(), servers?.kill()])
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

/** Programs that start the container wait for the first word, `Ready`. */
function formatReadyMessage(address: string, owner: Owner | null, tookMs: number): string {
  return [
    `Ready after ${(tookMs / 1000).toFixed(1)} s (for tests only: data may be lost)`,
    `  Address   ${address}`,
    ...(owner
      ? [`  E-mail    ${owner.email}`, `  Password  ${owner.password}`, `  API key   ${owner.apiKey}`]
      : []),
  ].join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
