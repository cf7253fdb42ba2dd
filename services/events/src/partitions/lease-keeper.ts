import { Worker } from 'node:worker_threads'
import type { ClientTls, Logger } from '@tms/service-kit'

/**
 * A replica that dies is replaced after `leaseMs`, and at most a round: within two seconds in all. Too small gives up
 * partitions over a pause of the process. Leases are renewed every `roundMs`.
 */
export const leaseTiming = { leaseMs: 1_500, roundMs: 250 }
/** How often the process says that it isn't stuck. */
const BEAT_MS = 250
/** The thread makes little garbage; without limits it takes 10 MB more. */
const KEEPER_MEMORY = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }
/** A keeper that died, which nothing was seen to cause, is replaced. */
const RESTART_MS = 1_000

/** What the keeper's thread is started with. */
export interface KeeperData {
  readonly redisUrl: string
  readonly tls: ClientTls
  readonly namespace: string
  readonly partitionCount: number
  readonly replicaId: string
  /** One number, which changes while the event loop of the process turns. */
  readonly beats: SharedArrayBuffer
}

/** What the keeper's thread is told: a partition's lease is to be kept, or (null) no longer. */
export interface KeeperOrder {
  readonly partition: number
  readonly token: string | null
}

/** Keeps leases while the event loop is too busy to. */
export interface LeaseKeeper {
  /** From now on the lease of this token is extended, for as long as it is held. */
  keep(partition: number, token: string): void
  /** The lease may run out, if it is this token's that is kept. */
  drop(partition: number, token: string): void
  stop(): Promise<void>
}

/**
 * Starts a thread that announces this replica and extends its leases over a connection of its own. A lease shows that
 * the process lives; how soon its event loop gets to things says nothing of that. Renewed by the loop alone, leases ran out
 * just when it had most to do, and loading partitions elsewhere made more of it still. Only a loop that hasn't turned for
 * seconds counts as stuck, and whoever is stopped or killed stops as a whole. Losing a lease is noticed by the loop, and
 * fencing makes sure of what is written: the thread decides nothing.
 */
export function startLeaseKeeper(
  options: Omit<KeeperData, 'beats'> & { log: Pick<Logger, 'error'> },
): LeaseKeeper {
  const { log, ...rest } = options
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const counter = new Int32Array(beats)
  const beating = setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS)
  const kept = new Map<number, string>()
  const data: KeeperData = { ...rest, beats }
  let isStopped = false
  let restart: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const thread = new Worker(new URL('./lease-keeper-thread.js', import.meta.url), {
      workerData: data,
      // Whatever the process was started with is not for the thread.
      execArgv: [],
      resourceLimits: KEEPER_MEMORY,
    })
    for (const [partition, token] of kept) thread.postMessage({ partition, token } satisfies KeeperOrder)
    thread.on('error', (err) => log.error({ err }, 'the keeper of leases failed, will be started again'))
    thread.once('exit', () => {
      if (isStopped) return
      restart = setTimeout(() => {
        worker = start()
      }, RESTART_MS)
    })
    return thread
  }
  let worker = start()

  return {
    keep: (partition, token) => {
      kept.set(partition, token)
      worker.postMessage({ partition, token } satisfies KeeperOrder)
    },
    drop: (partition, token) => {
      if (kept.get(partition) !== token) return
      kept.delete(partition)
      worker.postMessage({ partition, token: null } satisfies KeeperOrder)
    },
    stop: async () => {
      isStopped = true
      clearInterval(beating)
      clearTimeout(restart)
      await worker.terminate()
    },
  }
}
