import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints, Role } from '@tms/contracts'
import { createUserTokenSigner } from '@tms/service-kit'
import { type Answer, ApiClient, type ClientEvent } from '@tms/test-kit'
import type { ClientPlan, Habit } from './history.ts'
import type { Scene } from './stage.ts'

const { deleteEventQueue, getEvents, register } = endpoints.events
/** Longer than a poll is held, and than anyone is paused. */
const POLL_TIMEOUT_MS = 70_000
const RETRY_MS = 60
/** Longer than partitions take to be loaded afresh and read on. */
const GONE_MS = 20_000
/** A system that is struck again and again takes its time. */
const REGISTER_MS = 300_000
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  linkifier_url_template: true,
}
const MAX_PROBLEMS = 3
/** What of the state each kind of client needs: the first keeps all of it. */
const WANTS = {
  everything: { include_subscribers: true },
  messages: { event_types: ['message', 'typing'], fetch_event_types: ['subscription'] },
  'public messages': {
    event_types: ['message'],
    fetch_event_types: ['subscription'],
    all_public_streams: true,
  },
} as const

/** An event, and how it was written when it came first. */
interface Received {
  readonly event: ClientEvent
  readonly text: string
}

/**
 * A client as they are on the road: it waits for this long or that, goes away in the middle, asks twice, or at another
 * replica. Whatever it is told must fit what it was told before; what doesn't is noted in `problems`.
 */
export class RoamingClient {
  readonly plan: ClientPlan
  readonly api: ApiClient
  /** Each event once, in order, heartbeats left out. */
  readonly received: Received[] = []
  readonly problems: string[] = []
  state: Record<string, unknown> = {}
  hasLeft = false
  readonly #scene: Scene
  readonly #authorization: string
  readonly #stopping = new AbortController()
  /** Sent with the next poll. */
  #acknowledged = -1
  /** Acknowledged before, to ask for again. */
  #outdated = -1

  constructor(plan: ClientPlan, scene: Scene) {
    const { product, cast } = scene
    this.plan = plan
    this.#scene = scene
    this.api = cast[plan.who] as ApiClient
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

  /** Registers a queue, as often as it takes. */
  async register(): Promise<void> {
    const deadline = Date.now() + REGISTER_MS
    const wanted = {
      client_gravatar: false,
      client_capabilities: CAPABILITIES,
      ...WANTS[this.plan.wants],
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

  /** Polls, one habit after another, until told to stop. */
  async run(): Promise<void> {
    const { habits } = this.plan
    for (let turn = 0; !this.#stopping.signal.aborted; turn++) {
      await this.#live(habits[turn % habits.length] as Habit)
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  /**
   * Deletes the queue: whoever asks for it afterwards learns that it is gone. A Redis that loses the second in which that was
   * done has it back until the log has been read again, and then no more.
   */
  async leave(): Promise<void> {
    this.hasLeft = true
    this.stop()
    const hasLeft = async () => {
      const answer = await this.api.send(deleteEventQueue, { queue_id: this.queueId }).catch(() => null)
      return answer !== null && answer.status < 500
    }
    while (!(await hasLeft())) await sleep(RETRY_MS)
    const deadline = Date.now() + GONE_MS
    for (;;) {
      const answer = await this.#poll('gateway', this.#acknowledged, { isImpatient: true, isKept: false })
      if (answer?.body['code'] === 'BAD_EVENT_QUEUE_ID') return
      if (answer && answer.status < 500 && Date.now() > deadline) {
        return this.#object(`is still there: ${answer.text}`)
      }
      await sleep(RETRY_MS)
    }
  }

  describe(): string {
    return `client of ${this.plan.who} for ${this.plan.wants}`
  }

  async #live(habit: Habit): Promise<void> {
    const { via } = habit
    const from = this.#acknowledged
    switch (habit.way) {
      case 'nap':
        return this.#rest(habit.patienceMs)
      case 'wait':
      case 'abandon':
        await this.#poll(via, from, { patienceMs: habit.patienceMs })
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
        return void (await this.#poll(via, this.#outdated, { isImpatient: true, isStale: true }))
    }
  }

  #acknowledge(eventId: number): void {
    this.#outdated = this.#acknowledged
    this.#acknowledged = Math.max(this.#acknowledged, eventId)
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  async #poll(
    via: Habit['via'],
    from: number,
    {
      patienceMs = POLL_TIMEOUT_MS,
      isImpatient = false,
      isStale = false,
      isKept = true,
    }: { patienceMs?: number; isImpatient?: boolean; isStale?: boolean; isKept?: boolean },
  ): Promise<Answer | null> {
    const timeout = AbortSignal.timeout(patienceMs)
    const signal = isKept ? AbortSignal.any([timeout, this.#stopping.signal]) : timeout
    const asked = { queue_id: this.queueId, last_event_id: from, dont_block: isImpatient }
    const { system } = this.#scene.product
    const answer = await (via === 'gateway'
      ? this.api.send(getEvents, asked, { signal })
      : new ApiClient(system.replica('events', via).url, null).send(getEvents, asked, {
          signal,
          headers: { authorization: this.#authorization },
        })
    ).catch(() => null)
    if (!isKept) return answer
    if (answer?.status === 200) this.#hear(isStale ? null : from, answer.body['events'] as ClientEvent[])
    else if (answer === null || answer.status >= 500) await this.#rest(RETRY_MS)
    // What was acknowledged is gone, unless Redis has forgotten that it was.
    else if (!(isStale && answer.body['code'] === 'BAD_REQUEST')) {
      this.#object(`was refused ${from}: ${answer.text}`)
      await this.#rest(RETRY_MS)
    }
    return answer
  }

  /**
   * Whatever is after `from` and was told before comes again, the same; and then, with IDs above, what is new. Without
   * `from`, the server may begin at any of those that it has.
   */
  #hear(asked: number | null, events: readonly ClientEvent[]): void {
    const told = events.filter(({ type }) => type !== 'heartbeat')
    const from = asked ?? (told[0]?.id ?? 0) - 1
    const before = this.received.filter(({ event }) => event.id > from)
    for (const [index, event] of told.entries()) {
      const text = JSON.stringify(event)
      const known = before[index]
      if (known !== undefined) {
        if (known.text !== text) {
          this.#object(`was told ${short(text)} after ${from}, where it was ${short(known.text)} before`)
        }
      } else if (event.id <= Math.max(from, this.lastEventId)) {
        this.#object(`was told ${short(text)} after ${from}, although it knew ${this.lastEventId}`)
      } else this.received.push({ event, text })
    }
  }

  #object(problem: string): void {
    // One of a kind is enough to look into.
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(`${this.describe()} ${problem}`)
  }
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
