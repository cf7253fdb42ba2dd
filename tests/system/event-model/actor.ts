import { randomUUID } from 'node:crypto'
import { type AnyEndpoint, type EndpointInput, endpoints } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import type { Operation } from './history.ts'
import type { Scene } from './stage.ts'

const { addReaction, deleteMessage, editMessage, removeReaction, sendMessage } = endpoints.messaging
const { setTypingStatus, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging
const { updateSettings, updateUser } = endpoints.users

/** Longer than anyone is paused. */
const REQUEST_TIMEOUT_MS = 20_000
const RETRY_MS = 100
/** How long a message is sent again; longer than anything is away. */
const PERSISTENCE_MS = 300_000

/** What someone did, for comparison with the log. */
export interface Deed {
  readonly act: Operation['act']
  /** Of every attempt. */
  readonly requestIds: readonly string[]
  /** `unknown` is what was not answered: it may have been done, may be done yet, or never. */
  readonly outcome: 'done' | 'refused' | 'unknown'
  /** A text of its own that the entry has, where it has one. */
  readonly mark: string | null
  readonly beganAt: number
  readonly endedAt: number
}

/** Acts that may change nothing although they succeed. */
export const MAY_BE_IDLE: ReadonlySet<string> = new Set([
  'join',
  'leave',
  'fetch',
  'dismiss',
  'flag',
  'promote',
  'move',
  'type',
])

let marks = 0

/** Someone who does one thing after another, and notes what came of it. */
export class Actor {
  readonly deeds: Deed[] = []
  readonly #client: ApiClient
  readonly #scene: Scene
  /** Own messages, the latest first. */
  readonly #messages: number[] = []
  readonly #reacted = new Set<number>()

  constructor(client: ApiClient, scene: Scene) {
    this.#client = client
    this.#scene = scene
  }

  async perform(operation: Operation): Promise<void> {
    const { cast, channels } = this.#scene
    const mark = `${operation.act} ${++marks}`
    switch (operation.act) {
      case 'say': {
        const to = channels[operation.channel]?.id ?? 0
        return this.#send(
          operation,
          { type: 'channel', to, topic: `t${operation.topic}`, content: mark },
          mark,
        )
      }
      case 'whisper': {
        const to = operation.to.map((number) => cast[number]?.userId ?? 0)
        return this.#send(operation, { type: 'direct', to, content: mark }, mark)
      }
      case 'edit':
        return this.#change(operation, (message_id) => [editMessage, { message_id, content: mark }], mark)
      case 'delete':
        return this.#delete(operation)
      case 'react':
        return this.#react(operation)
      case 'flag': {
        const { flag } = operation
        const op = marks % 2 === 0 ? 'add' : 'remove'
        return this.#change(operation, (id) => [updateMessageFlags, { messages: [id], op, flag }])
      }
      case 'move': {
        const stream_id = channels[operation.channel]?.id ?? 0
        const topic = `t${operation.topic}`
        return this.#change(operation, (message_id) => [editMessage, { message_id, stream_id, topic }])
      }
      case 'join':
        return this.#do(operation, subscribe, { subscriptions: [this.#named(operation.channel)] })
      case 'leave':
        return this.#leave(operation)
      case 'fetch': {
        const principals = [cast[operation.whom]?.userId ?? 0]
        return this.#do(operation, subscribe, { subscriptions: [this.#named(operation.channel)], principals })
      }
      case 'dismiss': {
        const principals = [cast[operation.whom]?.userId ?? 0]
        const subscriptions = [this.#named(operation.channel).name]
        return this.#do(operation, unsubscribe, { subscriptions, principals })
      }
      case 'rename':
        return this.#do(operation, updateSettings, { full_name: mark }, mark)
      case 'promote':
        return this.#do(operation, updateUser, {
          user_id: cast[operation.whom]?.userId ?? 0,
          role: operation.role,
        })
      case 'type': {
        const stream_id = channels[operation.channel]?.id ?? 0
        const typing = { type: 'channel', op: 'start', stream_id, topic: mark } as const
        return this.#do(operation, setTypingStatus, typing, mark)
      }
    }
  }

  /** Sends until it is known what came of it: under the same key, a message is there once. */
  async #send(operation: Operation, message: EndpointInput<typeof sendMessage>, mark: string): Promise<void> {
    const beganAt = Date.now()
    const requestIds: string[] = []
    for (;;) {
      const requestId = randomUUID()
      requestIds.push(requestId)
      const answer = await this.#ask(sendMessage, message, requestId, { 'idempotency-key': mark })
      const outcome = outcomeOf(answer)
      if (outcome === 'unknown' && Date.now() - beganAt < PERSISTENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      if (outcome === 'done') this.#messages.unshift(Number(answer?.body['id']))
      this.deeds.push({ act: operation.act, requestIds, outcome, mark, beganAt, endedAt: Date.now() })
      return
    }
  }

  /** Nobody leaves the den empty: that would end it. */
  #leave(operation: Operation & { readonly act: 'leave' | 'join' }): Promise<void> {
    const isOwner = this.#client === this.#scene.product.owner
    const channel = isOwner ? 0 : operation.channel
    return this.#do(operation, unsubscribe, { subscriptions: [this.#named(channel).name] })
  }

  async #change(
    operation: Operation & { message: number },
    requestOf: (messageId: number) => readonly [AnyEndpoint, object],
    mark: string | null = null,
  ): Promise<void> {
    const messageId = this.#messages[operation.message]
    if (messageId === undefined) return
    const [endpoint, input] = requestOf(messageId)
    await this.#do(operation, endpoint, input, mark)
  }

  /** The owner may delete; of the others a policy decides. */
  async #delete(operation: Operation & { message: number }): Promise<void> {
    const [messageId] = this.#messages.splice(operation.message, 1)
    if (messageId !== undefined) await this.#do(operation, deleteMessage, { message_id: messageId })
  }

  async #react(operation: Operation & { message: number }): Promise<void> {
    const message_id = this.#messages[operation.message]
    if (message_id === undefined) return
    const isThere = this.#reacted.has(message_id)
    if (isThere) this.#reacted.delete(message_id)
    else this.#reacted.add(message_id)
    const endpoint = isThere ? removeReaction : addReaction
    await this.#do(operation, endpoint, { message_id, emoji_name: 'tada' })
  }

  /** Does it once, whatever comes of it. */
  async #do(
    { act }: Operation,
    endpoint: AnyEndpoint,
    input: object,
    mark: string | null = null,
  ): Promise<void> {
    const beganAt = Date.now()
    const requestId = randomUUID()
    const outcome = outcomeOf(await this.#ask(endpoint, input as never, requestId))
    this.deeds.push({ act, requestIds: [requestId], outcome, mark, beganAt, endedAt: Date.now() })
  }

  #ask<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    requestId: string,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    const options = {
      headers: { ...headers, 'x-request-id': requestId },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }
    return this.#client.send(endpoint, input, options).catch(() => null)
  }

  #named(channel: number): { name: string } {
    return { name: this.#scene.channels[channel]?.name ?? '' }
  }
}

function outcomeOf(answer: Answer | null): Deed['outcome'] {
  if (answer === null || answer.status >= 500) return 'unknown'
  return answer.status === 200 ? 'done' : 'refused'
}
