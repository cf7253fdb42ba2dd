import { publishCommandOf, type Redis, untilRedisReady } from '../redis/index.ts'
import { scriptsWith } from './scripts.ts'

/** The services whose changes others cache. */
export const sources = ['users', 'realm'] as const
export type Source = (typeof sources)[number]

/** Up to where announcements of all sources have been made. */
export interface Announced {
  readonly epoch: string
  readonly seqs: Readonly<Record<Source, number>>
}

/** An announcement as it is received. `changes` is null where they are too many to be carried: ask the source. */
export interface Announcement {
  readonly epoch: string
  readonly source: Source
  readonly seq: number
  readonly cursor: string
  readonly changes: unknown
}

/** What came of making one. */
export interface Made {
  readonly epoch: string
  readonly epochAgeMs: number
  readonly seq: number
  /** Replicas that hold leases, or held one a moment ago. */
  readonly replicaIds: readonly string[]
}

/** An acknowledgement as it is received. */
export interface Acknowledgement {
  readonly epoch: string
  readonly source: string
  readonly seq: number
  readonly replicaId: string
}

/**
 * Longer than any lease is valid after its renewal: a replica that hasn't acknowledged by then serves nothing that it caches, so nobody
 * waits for it any longer.
 */
export const ACKNOWLEDGE_MS = 2_000
/** A replica that hasn't renewed for this long holds no lease, by whatever clock: leases are much shorter. */
const FORGOTTEN_MS = 4_000

type Argument = string | number

/** The leases of all replicas and the announcements to them, in Redis: one hash slot, so that each script is one step. */
export class LeaseStore {
  readonly channel: string
  readonly acknowledgements: string
  readonly #redis: Redis
  readonly #keys: readonly [string, string, string]

  constructor(redis: Redis, namespace: string) {
    const prefix = `{${namespace === '' ? '' : `${namespace}:`}cache-leases}:`
    this.#redis = redis
    this.#keys = [`${prefix}state`, `${prefix}replicas`, `${prefix}acknowledged`]
    this.channel = `${prefix}announcements`
    this.acknowledgements = `${prefix}acknowledgements`
    for (const [name, lua] of Object.entries(scriptsWith(publishCommandOf(redis))))
      redis.defineCommand(`tmsLease${name}`, { lua, numberOfKeys: 3 })
  }

  isConnected(): boolean {
    return this.#redis.status === 'ready'
  }

  /** Whether Redis is there, or comes back in time. */
  isConnectedWithin(ms: number): Promise<boolean> {
    if (this.isConnected()) return Promise.resolve(true)
    return untilRedisReady(this.#redis, ms).then(
      () => true,
      () => false,
    )
  }

  /** Registers a replica, or that it is still there. Rejects while Redis is away. */
  async renew(replicaId: string): Promise<Announced> {
    const [epoch, ...seqs] = await this.#run<[string, ...number[]]>('Renew', replicaId, ...sources)
    return { epoch, seqs: { users: seqs[0] ?? 0, realm: seqs[1] ?? 0 } }
  }

  /** Announces changes to all replicas. Rejects while Redis is away. */
  async announce(source: Source, cursor: string, changes: unknown): Promise<Made> {
    const payload = JSON.stringify({ cursor, changes })
    const [epoch, epochAgeMs, seq, ...replicaIds] = await this.#run<[string, number, number, ...string[]]>(
      'Announce',
      ...[this.channel, source, payload, FORGOTTEN_MS],
    )
    return { epoch, epochAgeMs, seq, replicaIds }
  }

  async acknowledge(replicaId: string, { epoch, source, seq }: Announcement): Promise<void> {
    await this.#run('Acknowledge', this.acknowledgements, replicaId, epoch, source, seq)
  }

  /** The replicas that haven't acknowledged an announcement yet; null where Redis can't know, since its epoch is over. */
  listPending({
    epoch,
    source,
    seq,
  }: Pick<Announcement, 'epoch' | 'source' | 'seq'>): Promise<string[] | null> {
    return this.#run<string[] | null>('Pending', epoch, source, seq)
  }

  /** Gives the lease of a replica back, so that nobody waits for it. */
  async leave(replicaId: string): Promise<void> {
    await this.#run('Leave', replicaId, ...sources)
  }

  #run<T>(script: string, ...args: Argument[]): Promise<T> {
    const commands = this.#redis as unknown as Record<string, (...all: Argument[]) => Promise<T>>
    return commands[`tmsLease${script}`]?.(...this.#keys, ...args) as Promise<T>
  }
}

/** Reads what was published on the channel of announcements. */
export function parseAnnouncement(message: string): Announcement {
  const [epoch = '', source, seq] = message.split(' ', 3)
  const payload = message.slice(`${epoch} ${source} ${seq} `.length)
  return { epoch, source: source as Source, seq: Number(seq), ...JSON.parse(payload) }
}

/** Reads what was published on the channel of acknowledgements. */
export function parseAcknowledgement(message: string): Acknowledgement {
  const [epoch = '', source = '', seq, replicaId = ''] = message.split(' ')
  return { epoch, source, seq: Number(seq), replicaId }
}
