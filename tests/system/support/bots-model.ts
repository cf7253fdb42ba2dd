import type { ClientEvent } from '@tms/test-kit'

type Bot = Record<string, unknown> & { readonly user_id: number }

/** The bots that a user manages, as a careful client stores them. A change to the present value was delivered twice. */
export class BotsModel {
  readonly #problems: string[]
  readonly #bots: Map<number, Bot>

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#bots = new Map((state['realm_bots'] as Bot[]).map((bot) => [bot.user_id, { ...bot }]))
  }

  /** Returns whether the event is about bots. */
  apply(kind: string, event: ClientEvent): boolean {
    if (event.type !== 'realm_bot') return false
    const change = event['bot'] as Bot
    const known = this.#bots.get(change.user_id)
    if (kind === 'realm_bot add') {
      if (known) this.#problems.push(`bot ${change.user_id} came twice`)
      this.#bots.set(change.user_id, { ...change })
      return true
    }
    if (!known) this.#problems.push(`${kind} of bot ${change.user_id}, which is not known`)
    if (kind === 'realm_bot delete') this.#bots.delete(change.user_id)
    for (const [name, value] of Object.entries(change)) {
      if (name === 'user_id' || !known) continue
      if (JSON.stringify(known[name]) === JSON.stringify(value))
        this.#problems.push(`${name} of bot ${change.user_id} came twice`)
      known[name] = value
    }
    return true
  }

  comparable(): Record<string, unknown> {
    return { bots: [...this.#bots].sort(([a], [b]) => a - b) }
  }
}
