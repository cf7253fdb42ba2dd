import { randomUUID } from 'node:crypto'
import { type AnyEndpoint, type EndpointInput, endpoints } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import type { Setting } from './check-settings.ts'
import type { Operation } from './history.ts'
import { ALERT_WORD, changeOf, shownAlert, useOf } from './settings.ts'
import type { Scene } from './stage.ts'

const { addReaction, deleteMessage, editMessage, removeReaction, sendMessage } = endpoints.messaging
const { setTypingStatus, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging

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
  /** Of `performance.now()`. */
  readonly beganAt: number
  readonly endedAt: number
  /** The setting that it changes, if it is done. */
  readonly sets: Setting | null
  /** Settings that its answer showed. */
  readonly shown: readonly Setting[]
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
  'restrict',
  'expel',
])

let marks = 0

/** Whose account a request takes, if not the own one, and what is noted of it beside what came of it. */
interface Details {
  readonly by?: ApiClient
  readonly mark?: string | null
  readonly sets?: Setting | null
  readonly shows?: (answer: Answer) => readonly Setting[]
}

/** Someone who does one thing after another, each at the next gateway, and notes what came of it. */
export class Actor {
  readonly deeds: Deed[] = []
  readonly #client: ApiClient
  readonly #scene: Scene
  #requests = 0
  /** Own messages, the latest first. */
  readonly #messages: number[] = []
  readonly #reacted = new Set<number>()

  constructor(client: ApiClient, scene: Scene) {
    this.#client = client
    this.#scene = scene
  }

  /** What can be turned on is turned off every second time. */
  async perform(operation: Operation, isOn: boolean): Promise<void> {
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
        return this.#change(operation, (message_id) => [editMessage, { message_id, content: mark }], { mark })
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
      case 'type': {
        const stream_id = channels[operation.channel]?.id ?? 0
        const typing = { type: 'channel', op: 'start', stream_id, topic: mark } as const
        return this.#do(operation, setTypingStatus, typing, { mark })
      }
      case 'rename':
      case 'link':
      case 'restrict':
      case 'expel':
      case 'alert':
      case 'promote': {
        const options = { own: this.#client, stage: this.#scene, mark, isOn }
        const { endpoint, input, ...details } = changeOf(operation, options)
        return this.#do(operation, endpoint, input, details)
      }
      case 'render':
      case 'review':
      case 'enter':
      case 'administer': {
        const { endpoint, input, ...details } = useOf(operation, this.#scene)
        return this.#do(operation, endpoint, input, details)
      }
      case 'ring': {
        const recipient = cast[operation.whom] as ApiClient
        const content = `${ALERT_WORD} ${mark}`
        const message = { type: 'direct' as const, to: [recipient.userId], content }
        return this.#send(operation, message, content, (messageId) => shownAlert(recipient, messageId))
      }
    }
  }

  /** Sends until it is known what came of it: under the same key, a message is there once. */
  async #send(
    { act }: Operation,
    message: EndpointInput<typeof sendMessage>,
    mark: string,
    shows: (messageId: number) => Promise<readonly Setting[]> = async () => [],
  ): Promise<void> {
    const beganAt = performance.now()
    const requestIds: string[] = []
    for (;;) {
      const requestId = randomUUID()
      requestIds.push(requestId)
      const answer = await this.#ask(sendMessage, message, { requestId, key: mark })
      const endedAt = performance.now()
      const outcome = outcomeOf(answer)
      if (outcome === 'unknown' && endedAt - beganAt < PERSISTENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      const messageId = Number(answer?.body['id'])
      if (outcome === 'done') this.#messages.unshift(messageId)
      const shown = outcome === 'done' ? await shows(messageId) : []
      this.deeds.push({ act, requestIds, outcome, mark, beganAt, endedAt, sets: null, shown })
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
    details: Details = {},
  ): Promise<void> {
    const messageId = this.#messages[operation.message]
    if (messageId === undefined) return
    const [endpoint, input] = requestOf(messageId)
    await this.#do(operation, endpoint, input, details)
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
    { by = this.#client, mark = null, sets = null, shows = () => [] }: Details = {},
  ): Promise<void> {
    const beganAt = performance.now()
    const requestId = randomUUID()
    const answer = await this.#ask(endpoint, input as never, { requestId, by })
    const endedAt = performance.now()
    const outcome = outcomeOf(answer)
    const shown = answer === null || outcome === 'unknown' ? [] : shows(answer)
    const requestIds = [requestId]
    this.deeds.push({ act, requestIds, outcome, mark, beganAt, endedAt, sets, shown })
  }

  #ask<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    { requestId, key, by = this.#client }: { requestId: string; key?: string; by?: ApiClient },
  ): Promise<Answer | null> {
    const options = {
      headers: { 'x-request-id': requestId, ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }
    const client = this.#scene.at(this.#requests++, by)
    return client.send(endpoint, input, options).catch(() => null)
  }

  #named(channel: number): { name: string } {
    return { name: this.#scene.channels[channel]?.name ?? '' }
  }
}

function outcomeOf(answer: Answer | null): Deed['outcome'] {
  if (answer === null || answer.status >= 500) return 'unknown'
  return answer.status === 200 ? 'done' : 'refused'
}
