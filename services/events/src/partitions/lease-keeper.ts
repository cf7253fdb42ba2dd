import { Worker } from 'node:worker_threads'
import type { ClientTls, Logger } from '@tms/service-kit'

/** Interval at which the event loop shows that it isn't stuck. */
const BEAT_MS = 250
/** The thread makes little garbage; without limits it takes 10 MB more. */
const KEEPER_MEMORY = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }
/** Delay before a thread that ended unexpectedly is started again. */
const RESTART_MS = 1_000

export interface KeeperData {
  readonly redisUrl: string
  readonly tls: ClientTls
  readonly namespace: string
  readonly partitionCount: number
  readonly replicaId: string
  /** A counter that increases while the event loop of the process turns. */
  readonly beats: SharedArrayBuffer
}

/** Message to the keeper's thread: renew the partition's lease with this token, or stop renewing it (null). */
export interface KeeperMessage {
  readonly partition: number
  readonly token: string | null
}

/** Renews leases even if the event loop is too busy to do so. */
export interface LeaseKeeper {
  /** Renews the lease of this token until it is dropped or lost. */
  keep(partition: number, token: string): void
  /** Stops renewing the partition's lease if it has this token. */
  drop(partition: number, token: string): void
  stop(): Promise<void>
}

/**
 * Starts a thread that announces this replica and renews its leases over a connection of its own. A lease shows that the process
 * is alive, not that its event loop is fast. If the loop alone renewed leases, they would expire just when it is busiest, and
 * loading the partitions elsewhere would add to the load. Only a loop that hasn't turned for seconds counts as stuck. A process
 * that is stopped or killed stops with all its threads. The thread decides nothing: the loop notices a lost lease, and fencing
 * protects writes.
 */
export function startLeaseKeeper(
  options: Omit<KeeperData, 'beats'> & { log: Pick<Logger, 'error'> },
): LeaseKeeper {
  const { log, ...rest } = options
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const counter = new Int32Array(beats)
  const beating = setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS)
  const leases = new Map<number, string>()
  const data: KeeperData = { ...rest, beats }
  let isStopped = false
  let restart: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const thread = new Worker(new URL('./lease-keeper-thread.js', import.meta.url), {
      workerData: data,
      // The process's own Node.js options don't apply to the thread.
      execArgv: [],
      resourceLimits: KEEPER_MEMORY,
    })
    for (const [partition, token] of leases) thread.postMessage({ partition, token } satisfies KeeperMessage)
    thread.on('error', (err) => log.error({ err }, 'lease keeper failed, will be restarted'))
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
      leases.set(partition, token)
      worker.postMessage({ partition, token } satisfies KeeperMessage)
    },
    drop: (partition, token) => {
      if (leases.get(partition) !== token) return
      leases.delete(partition)
      worker.postMessage({ partition, token: null } satisfies KeeperMessage)
    },
    stop: async () => {
      isStopped = true
      clearInterval(beating)
      clearTimeout(restart)
      await worker.terminate()
    },
  }
}
