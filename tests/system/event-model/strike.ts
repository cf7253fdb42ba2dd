import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica, Server } from '@tms/local-system'
import type { TestSystem } from '@tms/test-kit'
import type { Fault } from './history.ts'
import { findRedis, type StruckRedis } from './struck-redis.ts'

/** On a machine that does other things too, a broker takes its time to be back. */
const START_MS = 180_000

/** Lets faults happen in their order; resolves when the last is over and everything runs again. */
export async function strikeAll(
  product: TestSystem,
  faults: readonly Fault[],
  onFault: (number: number) => void,
): Promise<void> {
  const redis = await findRedis(product)
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
    await redis.close()
  }
}

const HAVE_TWO_REPLICAS: ReadonlySet<string> = new Set(['gateway', 'events', 'messaging'])

/** Which process a fault strikes. */
export function targetOf({ blow, replica }: Fault): string {
  return HAVE_TWO_REPLICAS.has(blow.target) ? `${blow.target}-${replica + 1}` : blow.target
}

function strike(product: TestSystem, fault: Fault, redis: StruckRedis): Promise<void> {
  const { target, how } = fault.blow
  switch (target) {
    case 'redis':
      return redis.strike(how, fault.lastsMs)
    case 'rabbitmq':
      return strikeServer(product.servers.rabbitmq, how, fault.lastsMs)
    case 'postgres':
      return strikeServer(product.servers.postgres, how, fault.lastsMs)
    case 'leases':
      return redis.takeLeases()
    case 'gateway':
    case 'events':
    case 'messaging':
      return strikeReplica(product.system.replica(target, fault.replica), how, fault.lastsMs)
    case 'users':
    case 'realm':
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
  await startIn(replica, START_MS)
}

/** It is not ready before what it needs is back, which another fault may keep away. */
async function startIn(replica: Replica, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await replica.start()
    } catch (err) {
      if (replica.pid === null || Date.now() > deadline) throw err
    }
  }
}

/** Ends a server, and starts it again. */
export async function strikeServer(
  server: Server,
  how: Fault['blow']['how'],
  lastsMs: number,
): Promise<void> {
  if (how === 'end') await server.stop()
  else await server.kill()
  await sleep(lastsMs)
  await server.start()
}
