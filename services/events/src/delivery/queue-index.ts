import type { Audience, LogEntry } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'

/**
 * The live queues of a partition, indexed by user, channel and realm. Looking up an audience costs in proportion to the queues
 * in it, not to all queues.
 */
export class QueueIndex {
  readonly #byId = new Map<string, QueueState>()
  readonly #byUser = new Map<number, Set<QueueState>>()
  readonly #byChannel = new Map<number, Set<QueueState>>()
  readonly #byRealm = new Map<number, Set<QueueState>>()
  readonly #listenersByRealm = new Map<number, Set<QueueState>>()

  get size(): number {
    return this.#byId.size
  }

  get(queueId: string): QueueState | undefined {
    return this.#byId.get(queueId)
  }

  ofUser(userId: number): Iterable<QueueState> {
    return this.#byUser.get(userId) ?? []
  }

  /** The queues of each user with more than `limit` of them, grouped by user. */
  listQueuesOverLimit(limit: number): readonly QueueState[][] {
    return [...this.#byUser.values()].filter(({ size }) => size > limit).map((queues) => [...queues])
  }

  ofChannel(channelId: number): Iterable<QueueState> {
    return this.#byChannel.get(channelId) ?? []
  }

  add(queue: QueueState): void {
    const { queue_id, user_id, realm_id } = queue.record
    this.#byId.set(queue_id, queue)
    put(this.#byUser, user_id, queue)
    put(this.#byRealm, realm_id, queue)
    if (queue.isPublicListener) put(this.#listenersByRealm, realm_id, queue)
    for (const channelId of queue.channelIds) put(this.#byChannel, channelId, queue)
  }

  remove(queue: QueueState): void {
    const { queue_id, user_id, realm_id } = queue.record
    this.#byId.delete(queue_id)
    take(this.#byUser, user_id, queue)
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
          for (const userId of selector.userIds) addAll(selected, this.#byUser.get(userId))
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
