import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica, Server } from '@tms/local-system'
import type { TestSystem } from '@tms/test-kit'
import type { Fault } from './history.ts'
import { openRedisFaults, type RedisFaults } from './redis-faults.ts'

/** On a busy machine a broker needs this long to restart. */
const START_MS = 180_000

/** Injects faults in order; resolves when the last one is over and everything runs again. */
export async function injectFaults(
  product: TestSystem,
  faults: readonly Fault[],
  onFault: (number: number) => void,
): Promise<void> {
  const redis = await openRedisFaults(product)
  // One target has one fault at a time: a stopped process cannot be paused.
  const ends = new Map<string, Promise<void>>()
  try {
    for (const [index, fault] of faults.entries()) {
      if (!fault.overlaps) await Promise.all(ends.values())
      await sleep(fault.afterMs)
      const target = targetOf(fault)
      await ends.get(target)
      onFault(index + 1)
      const end = injectFault(product, fault, redis)
      // It is awaited later, and must not count as unhandled until then.
      end.catch(() => {})
      ends.set(target, end)
    }
    await Promise.all(ends.values())
  } finally {
    await redis.close()
  }
}

const HAVE_TWO_REPLICAS: ReadonlySet<string> = new Set(['gateway', 'events', 'messaging'])

/** The process of a fault. */
export function targetOf({ kind, replica }: Fault): string {
  return HAVE_TWO_REPLICAS.has(kind.target) ? `${kind.target}-${replica + 1}` : kind.target
}

function injectFault(product: TestSystem, fault: Fault, redis: RedisFaults): Promise<void> {
  const { target, how } = fault.kind
  switch (target) {
    case 'redis':
      return redis.injectFault(how, fault.lastsMs)
    case 'rabbitmq':
      return failServer(product.servers.rabbitmq, how, fault.lastsMs)
    case 'postgres':
      return failServer(product.servers.postgres, how, fault.lastsMs)
    case 'leases':
      return redis.deleteLeases()
    case 'gateway':
    case 'events':
    case 'messaging':
      return failReplica(product.system.replica(target, fault.replica), how, fault.lastsMs)
    case 'users':
    case 'realm':
      return failReplica(product.system.replica(target), how, fault.lastsMs)
  }
}

async function failReplica(replica: Replica, how: Fault['kind']['how'], lastsMs: number): Promise<void> {
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

/** It is not ready before its dependencies are back, which another fault may delay. */
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

/** Stops a server, and starts it again. */
export async function failServer(server: Server, how: Fault['kind']['how'], lastsMs: number): Promise<void> {
  if (how === 'end') await server.stop()
  else await server.kill()
  await sleep(lastsMs)
  await server.start()
}
