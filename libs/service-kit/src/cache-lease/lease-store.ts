import { publishCommandOf, type Redis, untilRedisReady } from '../redis/index.ts'
import { scriptsWith } from './scripts.ts'

/** The services whose changes others cache. */
export const sources = ['users', 'realm'] as const
export type Source = (typeof sources)[number]

/** The newest announcement of each source. */
export interface AnnouncedState {
  readonly epoch: string
  readonly seqs: Readonly<Record<Source, number>>
}

/** A received announcement. `changes` is null if they are too large to be sent: query the source. */
export interface Announcement {
  readonly epoch: string
  readonly source: Source
  readonly seq: number
  readonly cursor: string
  readonly changes: unknown
}

/** Result of an announcement. */
export interface AnnouncementResult {
  readonly epoch: string
  readonly epochAgeMs: number
  readonly seq: number
  /** Replicas that hold a lease, or held one a moment ago. */
  readonly replicaIds: readonly string[]
}

/** A received acknowledgement. */
export interface Acknowledgement {
  readonly epoch: string
  readonly source: string
  readonly seq: number
  readonly replicaId: string
}

/**
 * Longer than any lease is valid after its renewal: a replica that hasn't acknowledged by then serves nothing from
 * its caches, so nobody waits for it any longer.
 */
export const ACKNOWLEDGE_MS = 2_000
/** A replica that hasn't renewed for this long holds no lease, by whatever clock: leases are much shorter. */
const REPLICA_EXPIRY_MS = 4_000

type Argument = string | number

/**
 * The leases of all replicas and the announcements to them, in Redis: in one hash slot, so that each script is
 * atomic.
 */
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

  /** Whether Redis is connected, or reconnects in time. */
  isConnectedWithin(ms: number): Promise<boolean> {
    if (this.isConnected()) return Promise.resolve(true)
    return untilRedisReady(this.#redis, ms).then(
      () => true,
      () => false,
    )
  }

  /** Registers a replica or renews its registration. Rejects while Redis is unavailable. */
  async renew(replicaId: string): Promise<AnnouncedState> {
    const [epoch, ...seqs] = await this.#run<[string, ...number[]]>('Renew', replicaId, ...sources)
    return { epoch, seqs: { users: seqs[0] ?? 0, realm: seqs[1] ?? 0 } }
  }

  /** Announces changes to all replicas. Rejects while Redis is unavailable. */
  async announce(source: Source, cursor: string, changes: unknown): Promise<AnnouncementResult> {
    const payload = JSON.stringify({ cursor, changes })
    const [epoch, epochAgeMs, seq, ...replicaIds] = await this.#run<[string, number, number, ...string[]]>(
      'Announce',
      ...[this.channel, source, payload, REPLICA_EXPIRY_MS],
    )
    return { epoch, epochAgeMs, seq, replicaIds }
  }

  async acknowledge(replicaId: string, { epoch, source, seq }: Announcement): Promise<void> {
    await this.#run('Acknowledge', this.acknowledgements, replicaId, epoch, source, seq)
  }

  /**
   * The replicas that haven't acknowledged an announcement yet; null if its epoch is over, since Redis has lost the
   * acknowledgements.
   */
  listPending({
    epoch,
    source,
    seq,
  }: Pick<Announcement, 'epoch' | 'source' | 'seq'>): Promise<string[] | null> {
    return this.#run<string[] | null>('Pending', epoch, source, seq)
  }

  /** The current epoch. Rejects while Redis is unavailable. */
  epoch(): Promise<string> {
    return this.#run<string>('Epoch')
  }

  /** Releases a replica's lease, so that nobody waits for it. */
  async leave(replicaId: string): Promise<void> {
    await this.#run('Leave', replicaId, ...sources)
  }

  #run<T>(script: string, ...args: Argument[]): Promise<T> {
    const commands = this.#redis as unknown as Record<string, (...all: Argument[]) => Promise<T>>
    return commands[`tmsLease${script}`]?.(...this.#keys, ...args) as Promise<T>
  }
}

/** Parses a message of the announcements channel. */
export function parseAnnouncement(message: string): Announcement {
  const [epoch = '', source, seq] = message.split(' ', 3)
  const payload = message.slice(`${epoch} ${source} ${seq} `.length)
  return { epoch, source: source as Source, seq: Number(seq), ...JSON.parse(payload) }
}

/** Parses a message of the acknowledgements channel. */
export function parseAcknowledgement(message: string): Acknowledgement {
  const [epoch = '', source = '', seq, replicaId = ''] = message.split(' ')
  return { epoch, source, seq: Number(seq), replicaId }
}
