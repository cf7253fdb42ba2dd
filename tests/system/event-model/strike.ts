import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica } from '@tms/local-system'
import { closeRedis, connectRedis, createLog, type Redis } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import type { Fault } from './history.ts'

/** Of what Redis wrote, this much of the end is lost with the machine, since the file is synced every second. */
const LOST_MS = 700

/** Lets faults happen in their order; resolves when the last is over and everything runs again. */
export async function strikeAll(
  product: TestSystem,
  faults: readonly Fault[],
  onFault: (number: number) => void,
): Promise<void> {
  const redis = connectRedis(product.servers.redis.url, createLog('test', 'silent'))
  // One target is struck once at a time: who is down can't be paused.
  const ends = new Map<string, Promise<void>>()
  try {
    for (const [index, fault] of faults.entries()) {
      if (!fault.overlaps) await Promise.all(ends.values())
      await sleep(fault.afterMs)
      const target = targetOf(fault)
      await ends.get(target)
      onFault(index + 1)
      const end = strike(product, fault, redis)
      // It is waited for later, and must not count as unhandled until then.
      end.catch(() => {})
      ends.set(target, end)
    }
    await Promise.all(ends.values())
  } finally {
    await closeRedis(redis)
  }
}

const HAVE_TWO_REPLICAS: ReadonlySet<string> = new Set(['events', 'messaging'])

/** Which process a fault strikes. */
export function targetOf({ blow, replica }: Fault): string {
  return HAVE_TWO_REPLICAS.has(blow.target) ? `${blow.target}-${replica + 1}` : blow.target
}

function strike(product: TestSystem, fault: Fault, redis: Redis): Promise<void> {
  const { target, how } = fault.blow
  switch (target) {
    case 'redis':
      return strikeRedis(product, fault, redis)
    case 'rabbitmq':
      return strikeServer(product.servers.rabbitmq, how, fault.lastsMs)
    case 'leases':
      return takeLeases(redis)
    case 'events':
    case 'messaging':
      return strikeReplica(product.system.replica(target, fault.replica), how, fault.lastsMs)
    case 'users':
    case 'realm':
    case 'gateway':
      return strikeReplica(product.system.replica(target), how, fault.lastsMs)
  }
}

async function strikeReplica(replica: Replica, how: Fault['blow']['how'], lastsMs: number): Promise<void> {
  if (how === 'pause') {
    await replica.kill('SIGSTOP')
    await sleep(lastsMs)
    return replica.kill('SIGCONT')
  }
  if (how === 'end') await replica.stop()
  else await replica.kill('SIGKILL')
  await sleep(lastsMs)
  await replica.start()
}

async function strikeServer(
  server: TestSystem['servers']['redis'],
  how: Fault['blow']['how'],
  lastsMs: number,
): Promise<void> {
  if (how === 'end') await server.stop()
  else await server.kill()
  await sleep(lastsMs)
  await server.start()
}

async function strikeRedis({ servers }: TestSystem, { blow, lastsMs }: Fault, redis: Redis): Promise<void> {
  const { pid } = servers.redis
  if (blow.how === 'lose') return loseTail(servers.redis, lastsMs, redis)
  if (blow.how !== 'pause') return strikeServer(servers.redis, blow.how, lastsMs)
  // In a container it can't be paused.
  if (pid === null) return
  process.kill(pid, 'SIGSTOP')
  await sleep(lastsMs)
  process.kill(pid, 'SIGCONT')
}

/** As when the machine goes down: what was not synced yet is missing from the append-only file. */
async function loseTail(
  server: TestSystem['servers']['redis'],
  lastsMs: number,
  redis: Redis,
): Promise<void> {
  const file = server.pid === null ? null : await findAppendOnlyFile(redis)
  const size = file === null ? 0 : statSync(file).size
  await sleep(LOST_MS)
  await server.kill()
  if (file !== null) truncateSync(file, Math.min(size, statSync(file).size))
  await sleep(lastsMs)
  await server.start()
}

/** The part of the file that is being written; null while Redis is away. */
async function findAppendOnlyFile(redis: Redis): Promise<string | null> {
  try {
    const [, dir = ''] = (await redis.config('GET', 'dir')) as string[]
    const [, name = ''] = (await redis.config('GET', 'appenddirname')) as string[]
    const folder = join(dir, name)
    const growing = readdirSync(folder).filter((one) => one.endsWith('.incr.aof'))
    return growing.length === 1 ? join(folder, growing[0] ?? '') : null
  } catch {
    return null
  }
}

/** Deletes the leases of all partitions: each owner finds that it has lost what it still believes to have. */
async function takeLeases(redis: Redis): Promise<void> {
  const leases = await redis.keys('*lease').catch(() => [])
  if (leases.length > 0) await redis.del(...leases).catch(() => 0)
}
