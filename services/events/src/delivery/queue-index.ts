import type { Audience, LogEntry } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { SharedValues } from '../kernel/shared-values.ts'

/**
 * The live queues of a partition, indexed by user, channel and realm. Looking up an audience costs in proportion to the queues
 * in it, not to all queues.
 */
export class QueueIndex {
  /** For the states of these queues. */
  readonly shared = new SharedValues()
  readonly #byId = new Map<string, QueueState>()
  /** A user has few queues, most often one: arrays take less than sets. Replaced at each change. */
  readonly #byUser = new Map<number, readonly QueueState[]>()
  readonly #byChannel = new Map<number, Set<QueueState>>()
  readonly #byRealm = new Map<number, Set<QueueState>>()
  readonly #listenersByRealm = new Map<number, Set<QueueState>>()

  get size(): number {
    return this.#byId.size
  }

  get(queueId: string): QueueState | undefined {
    return this.#byId.get(queueId)
  }

  /** Not changed by later changes of the index. */
  ofUser(userId: number): readonly QueueState[] {
    return this.#byUser.get(userId) ?? NONE
  }

  /** The queues of each user with more than `limit` of them, grouped by user. */
  listQueuesOverLimit(limit: number): readonly (readonly QueueState[])[] {
    return [...this.#byUser.values()].filter(({ length }) => length > limit)
  }

  ofChannel(channelId: number): Iterable<QueueState> {
    return this.#byChannel.get(channelId) ?? []
  }

  add(queue: QueueState): void {
    const { queue_id, user_id, realm_id } = queue.record
    this.#byId.set(queue_id, queue)
    // An array that grows by spreading or pushing keeps room for further ones.
    this.#byUser.set(user_id, this.ofUser(user_id).concat(queue))
    put(this.#byRealm, realm_id, queue)
    if (queue.isPublicListener) put(this.#listenersByRealm, realm_id, queue)
    for (const channelId of queue.channelIds) put(this.#byChannel, channelId, queue)
  }

  remove(queue: QueueState): void {
    const { queue_id, user_id, realm_id } = queue.record
    this.#byId.delete(queue_id)
    const others = this.ofUser(user_id).filter((other) => other !== queue)
    if (others.length > 0) this.#byUser.set(user_id, others)
    else this.#byUser.delete(user_id)
    take(this.#byRealm, realm_id, queue)
    take(this.#listenersByRealm, realm_id, queue)
    for (const channelId of queue.channelIds) take(this.#byChannel, channelId, queue)
  }

  subscribe(queue: QueueState, channelId: number): void {
    queue.channelIds.add(channelId)
    put(this.#byChannel, channelId, queue)
  }

  unsubscribe(queue: QueueState, channelId: number): void {
    queue.channelIds.delete(channelId)
    take(this.#byChannel, channelId, queue)
  }

  /** The queues of an entry's audience, each once. */
  select(
    { realm_id: realmId, source }: Pick<LogEntry, 'realm_id' | 'source'>,
    audience: Audience,
  ): Iterable<QueueState> {
    const [only] = audience
    if (audience.length === 1 && only?.kind === 'channel') return this.#byChannel.get(only.channelId) ?? []
    const selected = new Set<QueueState>()
    for (const selector of audience) {
      switch (selector.kind) {
        case 'users':
          for (const userId of selector.userIds) addAll(selected, this.ofUser(userId))
          break
        case 'channel':
          addAll(selected, this.#byChannel.get(selector.channelId))
          break
        case 'public_listeners':
          addAll(selected, this.#listenersByRealm.get(realmId))
          break
        case 'everyone':
          addAll(selected, this.#byId.values())
          break
        case 'realm':
          for (const queue of this.#byRealm.get(realmId) ?? []) {
            const role = source === 'messaging' ? queue.record.channel_role : queue.record.role
            if (role <= (selector.roleAtMost ?? Number.POSITIVE_INFINITY)) selected.add(queue)
          }
          break
      }
    }
    return selected
  }
}

const NONE: readonly QueueState[] = []

function put<K>(index: Map<K, Set<QueueState>>, key: K, queue: QueueState): void {
  const set = index.get(key)
  if (set) set.add(queue)
  else index.set(key, new Set([queue]))
}

function take<K>(index: Map<K, Set<QueueState>>, key: K, queue: QueueState): void {
  const set = index.get(key)
  if (set?.delete(queue) && set.size === 0) index.delete(key)
}

function addAll(target: Set<QueueState>, source: Iterable<QueueState> | undefined): void {
  for (const queue of source ?? []) target.add(queue)
}
