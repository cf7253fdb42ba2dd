import { randomUUID } from 'node:crypto'
import { type AnyEndpoint, type EndpointInput, endpoints } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import type { Setting } from './check-settings.ts'
import type { Scenario } from './environment.ts'
import type { Operation } from './history.ts'
import { ALERT_WORD, changeOf, shownAlert, useOf } from './settings.ts'

const { addReaction, deleteMessage, editMessage, removeReaction, sendMessage } = endpoints.messaging
const { setTypingStatus, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging

/** Longer than any pause. */
const REQUEST_TIMEOUT_MS = 20_000
const RETRY_MS = 100
/** How long a send is retried; longer than any outage. */
const PERSISTENCE_MS = 300_000

/** An action, for comparison with the log. */
export interface Action {
  readonly act: Operation['act']
  /** Of every attempt. */
  readonly requestIds: readonly string[]
  /** `unknown` means no response: it may have been done, may be done later, or never. */
  readonly outcome: 'done' | 'refused' | 'unknown'
  /** A unique text in the log entry, if it has one. */
  readonly mark: string | null
  /** By `performance.now()`. */
  readonly beganAt: number
  readonly endedAt: number
  /** The setting that it changes, if it is done. */
  readonly sets: Setting | null
  /** Settings that its response showed. */
  readonly shown: readonly Setting[]
}

/** Acts that may change nothing although they succeed. */
export const MAY_CHANGE_NOTHING: ReadonlySet<string> = new Set([
  'join',
  'leave',
  'fetch',
  'dismiss',
  'flag',
  'open',
  'promote',
  'move',
  'type',
  'restrict',
  'expel',
])

let marks = 0

/** The account of a request, if it is another one, and the data to record beside its outcome. */
interface Details {
  readonly by?: ApiClient
  readonly mark?: string | null
  readonly sets?: Setting | null
  readonly shows?: (answer: Answer) => readonly Setting[]
}

/** A user who acts sequentially, each time at the next gateway, and records the outcomes. */
export class Actor {
  readonly actions: Action[] = []
  readonly #client: ApiClient
  readonly #scenario: Scenario
  #requests = 0
  /** Own messages, the latest first. */
  readonly #messages: number[] = []
  readonly #reacted = new Set<number>()

  constructor(client: ApiClient, scenario: Scenario) {
    this.#client = client
    this.#scenario = scenario
  }

  /** Acts with an on and off state alternate. */
  async perform(operation: Operation, isOn: boolean): Promise<void> {
    const { participants, channels } = this.#scenario
    const mark = `${operation.act} ${++marks}`
    switch (operation.act) {
      case 'say': {
        const to = channels[operation.channel]?.id ?? 0
        const mentioned = participants[operation.mention ?? -1]
        const content = mentioned ? `@**|${mentioned.userId}** ${mark}` : mark
        const message = { type: 'channel' as const, to, topic: topicOf(operation.topic), content }
        return this.#send(operation, message, { mark: content, to: mentioned ? [mentioned] : [] })
      }
      case 'whisper': {
        const recipients = operation.to.map((number) => participants[number] as ApiClient)
        const to = recipients.map(({ userId }) => userId)
        return this.#send(operation, { type: 'direct', to, content: mark }, { mark, to: recipients })
      }
      case 'open': {
        const messageId = this.#scenario.addressed.get(this.#client.userId)?.pop()
        if (messageId === undefined) return
        return this.#do(operation, updateMessageFlags, { messages: [messageId], op: 'add', flag: 'read' })
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
        const topic = topicOf(operation.topic)
        return this.#change(operation, (message_id) => [editMessage, { message_id, stream_id, topic }])
      }
      case 'join':
        return this.#do(operation, subscribe, { subscriptions: [this.#channelNamed(operation.channel)] })
      case 'leave':
        return this.#leave(operation)
      case 'fetch': {
        const principals = [participants[operation.target]?.userId ?? 0]
        return this.#do(operation, subscribe, {
          subscriptions: [this.#channelNamed(operation.channel)],
          principals,
        })
      }
      case 'dismiss': {
        const principals = [participants[operation.target]?.userId ?? 0]
        const subscriptions = [this.#channelNamed(operation.channel).name]
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
        const options = { own: this.#client, environment: this.#scenario, mark, isOn }
        const { endpoint, input, ...details } = changeOf(operation, options)
        return this.#do(operation, endpoint, input, details)
      }
      case 'render':
      case 'review':
      case 'enter':
      case 'administer': {
        const { endpoint, input, ...details } = useOf(operation, this.#scenario)
        return this.#do(operation, endpoint, input, details)
      }
      case 'ring': {
        const recipient = participants[operation.target] as ApiClient
        const content = `${ALERT_WORD} ${mark}`
        const message = { type: 'direct' as const, to: [recipient.userId], content }
        const shows = (messageId: number) => shownAlert(recipient, messageId)
        return this.#send(operation, message, { mark: content, to: [recipient], shows })
      }
    }
  }

  /** Sends until the outcome is known: one key makes one message. `to` are the users that it addresses. */
  async #send(
    { act }: Operation,
    message: EndpointInput<typeof sendMessage>,
    {
      mark,
      to,
      shows = async () => [],
    }: {
      readonly mark: string
      readonly to: readonly ApiClient[]
      readonly shows?: (messageId: number) => Promise<readonly Setting[]>
    },
  ): Promise<void> {
    const beganAt = performance.now()
    const requestIds: string[] = []
    for (;;) {
      const requestId = randomUUID()
      requestIds.push(requestId)
      const answer = await this.#request(sendMessage, message, { requestId, key: mark })
      const endedAt = performance.now()
      const outcome = outcomeOf(answer)
      if (outcome === 'unknown' && endedAt - beganAt < PERSISTENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      const messageId = Number(answer?.body['id'])
      if (outcome === 'done') {
        this.#messages.unshift(messageId)
        for (const { userId } of to) this.#scenario.addressed.get(userId)?.push(messageId)
      }
      const shown = outcome === 'done' ? await shows(messageId) : []
      this.actions.push({ act, requestIds, outcome, mark, beganAt, endedAt, sets: null, shown })
      return
    }
  }

  /** The owner does not leave the private channel: an empty one would be archived. */
  #leave(operation: Operation & { readonly act: 'leave' | 'join' }): Promise<void> {
    const isOwner = this.#client === this.#scenario.product.owner
    const channel = isOwner ? 0 : operation.channel
    return this.#do(operation, unsubscribe, { subscriptions: [this.#channelNamed(channel).name] })
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

  /** The owner may delete; for others a policy decides. */
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

  /** Sends it once, whatever the outcome. */
  async #do(
    { act }: Operation,
    endpoint: AnyEndpoint,
    input: object,
    { by = this.#client, mark = null, sets = null, shows = () => [] }: Details = {},
  ): Promise<void> {
    const beganAt = performance.now()
    const requestId = randomUUID()
    const answer = await this.#request(endpoint, input as never, { requestId, by })
    const endedAt = performance.now()
    const outcome = outcomeOf(answer)
    const shown = answer === null || outcome === 'unknown' ? [] : shows(answer)
    const requestIds = [requestId]
    this.actions.push({ act, requestIds, outcome, mark, beganAt, endedAt, sets, shown })
  }

  #request<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    { requestId, key, by = this.#client }: { requestId: string; key?: string; by?: ApiClient },
  ): Promise<Answer | null> {
    const options = {
      headers: { 'x-request-id': requestId, ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }
    const client = this.#scenario.at(this.#requests++, by)
    return client.send(endpoint, input, options).catch(() => null)
  }

  #channelNamed(channel: number): { name: string } {
    return { name: this.#scenario.channels[channel]?.name ?? '' }
  }
}

function outcomeOf(answer: Answer | null): Action['outcome'] {
  if (answer === null || answer.status >= 500) return 'unknown'
  return answer.status === 200 ? 'done' : 'refused'
}

/** The first topic is empty. */
const topicOf = (number: number): string => (number === 0 ? '' : `t${number}`)
