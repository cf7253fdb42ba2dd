import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints, Role } from '@tms/contracts'
import { createUserTokenSigner } from '@tms/service-kit'
import { type Answer, ApiClient, type ClientEvent } from '@tms/test-kit'
import { openStream, type StreamClient } from '../support/stream-client.ts'
import type { Scenario } from './environment.ts'
import type { ClientPlan, PollStep } from './history.ts'

const { acknowledgeEvents, deleteEventQueue, getEvents, register } = endpoints.events
/** Longer than a pending poll, and than any pause. */
const POLL_TIMEOUT_MS = 70_000
const RETRY_MS = 60
/** Longer than loading partitions and reading on takes. */
const DELETED_MS = 20_000
/** A system with many faults is slow. */
const REGISTER_MS = 300_000
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  linkifier_url_template: true,
  empty_topic_name: true,
}
const MAX_PROBLEMS = 3
/** The state that each kind of client needs: the first one applies all of it. */
const SCOPES = {
  everything: { include_subscribers: true },
  messages: { event_types: ['message', 'typing'], fetch_event_types: ['subscription'] },
  'public messages': {
    event_types: ['message'],
    fetch_event_types: ['subscription'],
    all_public_streams: true,
  },
} as const

/** An event, with its first JSON text. */
interface Received {
  readonly event: ClientEvent
  readonly text: string
}

/**
 * An unreliable client: it waits for various times, disconnects in the middle, polls twice, or at another replica. Every
 * delivery must fit earlier ones; contradictions are recorded in `problems`.
 */
export class IntermittentClient {
  readonly plan: ClientPlan
  readonly api: ApiClient
  /** Each event once, in order, without heartbeats. */
  readonly received: Received[] = []
  readonly problems: string[] = []
  state: Record<string, unknown> = {}
  hasLeft = false
  readonly #scenario: Scenario
  readonly #authorization: string
  readonly #stopping = new AbortController()
  /** Sent with the next poll. */
  #acknowledged = -1
  /** The previous acknowledgement, for stale polls. */
  #acknowledgedBefore = -1

  constructor(plan: ClientPlan, scenario: Scenario) {
    const { product, participants } = scenario
    this.plan = plan
    this.#scenario = scenario
    this.api = participants[plan.who] as ApiClient
    const sign = createUserTokenSigner(product.system.keys.jwt.privateKey)
    const caller = { userId: this.api.userId, realmId: product.realmId, role: Role.member, isBot: false }
    this.#authorization = `Bearer ${sign(caller)}`
  }

  get queueId(): string {
    return this.state['queue_id'] as string
  }

  get lastEventId(): number {
    return this.received.at(-1)?.event.id ?? -1
  }

  /** Registers a queue, with retries. */
  async register(): Promise<void> {
    const deadline = Date.now() + REGISTER_MS
    const wanted = {
      client_gravatar: false,
      client_capabilities: CAPABILITIES,
      ...SCOPES[this.plan.scope],
    }
    for (;;) {
      const answer = await this.api.send(register, wanted as never).catch(() => null)
      if (answer?.status === 200) {
        this.state = answer.body
        return
      }
      if ((answer !== null && answer.status < 500) || Date.now() > deadline) {
        throw new Error(`${this.describe()} could not register: ${JSON.stringify(answer?.body)}`)
      }
      await sleep(RETRY_MS)
    }
  }

  /** Polls, one step after another, until it is stopped. */
  async run(): Promise<void> {
    const { pollSteps } = this.plan
    for (let turn = 0; !this.#stopping.signal.aborted; turn++) {
      await this.#runStep(pollSteps[turn % pollSteps.length] as PollStep)
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  /**
   * Deletes the queue: later polls must find it missing. A Redis that loses the second of the deletion has the queue until the
   * log has been read again.
   */
  async leave(): Promise<void> {
    this.hasLeft = true
    this.stop()
    const hasLeft = async () => {
      const answer = await this.api.send(deleteEventQueue, { queue_id: this.queueId }).catch(() => null)
      return answer !== null && answer.status < 500
    }
    while (!(await hasLeft())) await sleep(RETRY_MS)
    const deadline = Date.now() + DELETED_MS
    for (;;) {
      const answer = await this.#poll('gateway', this.#acknowledged, { isImpatient: true, isRecorded: false })
      if (answer?.body['code'] === 'BAD_EVENT_QUEUE_ID') return
      if (answer && answer.status < 500 && Date.now() > deadline) {
        return this.#report(`is still there: ${answer.text}`)
      }
      await sleep(RETRY_MS)
    }
  }

  describe(): string {
    return `client of ${this.plan.who} for ${this.plan.scope}`
  }

  async #runStep(pollStep: PollStep): Promise<void> {
    const { via } = pollStep
    const from = this.#acknowledged
    switch (pollStep.way) {
      case 'nap':
        return this.#rest(pollStep.patienceMs)
      case 'wait':
      case 'abandon':
        await this.#poll(via, from, { patienceMs: pollStep.patienceMs })
        return this.#acknowledge(this.lastEventId)
      case 'stream':
        await this.#stream(via, from, pollStep.patienceMs)
        return this.#acknowledge(this.lastEventId)
      case 'repeat':
        await this.#poll(via, from, { isImpatient: true })
        await this.#poll(via, from, { isImpatient: true })
        return this.#acknowledge(this.lastEventId)
      case 'twice':
        await Promise.all([
          this.#poll(via, from, { patienceMs: 1_000 }),
          this.#poll('gateway', from, { patienceMs: 1_000 }),
        ])
        return this.#acknowledge(this.lastEventId)
      case 'half': {
        await this.#poll(via, from, { patienceMs: 1_000 })
        const fresh = this.received.filter(({ event }) => event.id > from)
        return this.#acknowledge(fresh[Math.floor(fresh.length / 2)]?.event.id ?? from)
      }
      case 'stale':
        return void (await this.#poll(via, this.#acknowledgedBefore, { isImpatient: true, isStale: true }))
    }
  }

  #acknowledge(eventId: number): void {
    this.#acknowledgedBefore = this.#acknowledged
    this.#acknowledged = Math.max(this.#acknowledged, eventId)
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  async #poll(
    via: PollStep['via'],
    from: number,
    {
      patienceMs = POLL_TIMEOUT_MS,
      isImpatient = false,
      isStale = false,
      isRecorded = true,
    }: { patienceMs?: number; isImpatient?: boolean; isStale?: boolean; isRecorded?: boolean },
  ): Promise<Answer | null> {
    const timeout = AbortSignal.timeout(patienceMs)
    const signal = isRecorded ? AbortSignal.any([timeout, this.#stopping.signal]) : timeout
    const input = { queue_id: this.queueId, last_event_id: from, dont_block: isImpatient }
    const { system } = this.#scenario.product
    const answer = await (via === 'gateway'
      ? this.api.send(getEvents, input, { signal })
      : new ApiClient(system.replica('events', via).url, null).send(getEvents, input, {
          signal,
          headers: { authorization: this.#authorization },
        })
    ).catch(() => null)
    if (!isRecorded) return answer
    if (answer?.status === 200) this.#receive(isStale ? null : from, answer.body['events'] as ClientEvent[])
    else if (answer === null || answer.status >= 500) await this.#rest(RETRY_MS)
    // Acknowledged events are deleted, unless Redis lost the acknowledgement.
    else if (!(isStale && answer.body['code'] === 'BAD_REQUEST')) {
      this.#report(`was refused ${from}: ${answer.text}`)
      await this.#rest(RETRY_MS)
    }
    return answer
  }

  /** Streams until the time is over or the stream ends, and acknowledges what it has at half of the time. */
  async #stream(via: PollStep['via'], from: number, patienceMs: number): Promise<void> {
    const { system } = this.#scenario.product
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), this.#stopping.signal])
    const replica = via === 'gateway' ? null : new ApiClient(system.replica('events', via).url, null)
    const opened = await openStream(
      (path, { headers, ...init }) =>
        replica === null
          ? this.api.fetch(path, { ...init, headers: headers ?? {} })
          : replica.fetch(path, { ...init, headers: { ...headers, authorization: this.#authorization } }),
      this.queueId,
      { last: from, signal },
    ).catch(() => null)
    if (opened?.status !== 200) {
      if (opened && opened.status < 500)
        this.#report(`was refused a stream after ${from}: ${JSON.stringify(opened.body)}`)
      return this.#rest(RETRY_MS)
    }
    const { events, ended } = opened.stream as StreamClient
    const half = this.#rest(patienceMs / 2).then(async () => {
      const last_event_id = events.at(-1)?.id
      if (last_event_id === undefined || this.#stopping.signal.aborted) return
      const answer = await this.api
        .send(acknowledgeEvents, { queue_id: this.queueId, last_event_id })
        .catch(() => null)
      if (answer && answer.status !== 200 && answer.status < 500)
        this.#report(`could not acknowledge ${last_event_id}: ${answer.text}`)
      return answer?.status === 200 ? last_event_id : undefined
    })
    await ended
    this.#receive(from, events)
    const acknowledged = await half
    if (acknowledged !== undefined) this.#acknowledge(acknowledged)
  }

  /**
   * Known events after `from` must come again unchanged, followed by new ones with higher IDs. Without `from`, the server may
   * start at any stored event.
   */
  #receive(input: number | null, events: readonly ClientEvent[]): void {
    const delivered = events.filter(({ type }) => type !== 'heartbeat')
    const from = input ?? (delivered[0]?.id ?? 0) - 1
    const before = this.received.filter(({ event }) => event.id > from)
    for (const [index, event] of delivered.entries()) {
      const text = JSON.stringify(event)
      const known = before[index]
      if (known !== undefined) {
        if (known.text !== text) {
          this.#report(`received ${short(text)} after ${from}, where it received ${short(known.text)} before`)
        }
      } else if (event.id <= Math.max(from, this.lastEventId)) {
        this.#report(`received ${short(text)} after ${from}, although it had ${this.lastEventId}`)
      } else this.received.push({ event, text })
    }
  }

  #report(problem: string): void {
    // One of a kind is enough to investigate.
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(`${this.describe()} ${problem}`)
  }
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
