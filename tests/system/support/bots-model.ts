import type { ClientEvent } from '@tms/test-kit'

type Bot = Record<string, unknown> & { readonly user_id: number }

/** What a careful client keeps of the bots that its user manages. A change to what it is already was told twice. */
export class BotsModel {
  readonly #problems: string[]
  readonly #bots: Map<number, Bot>

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    this.#bots = new Map((state['realm_bots'] as Bot[]).map((bot) => [bot.user_id, { ...bot }]))
  }

  /** Whether the event is about any of this. */
  apply(kind: string, event: ClientEvent): boolean {
    if (event.type !== 'realm_bot') return false
    const told = event['bot'] as Bot
    const known = this.#bots.get(told.user_id)
    if (kind === 'realm_bot add') {
      if (known) this.#problems.push(`bot ${told.user_id} came twice`)
      this.#bots.set(told.user_id, { ...told })
      return true
    }
    if (!known) this.#problems.push(`${kind} of bot ${told.user_id}, which is not known`)
    if (kind === 'realm_bot delete') this.#bots.delete(told.user_id)
    for (const [name, value] of Object.entries(told)) {
      if (name === 'user_id' || !known) continue
      if (JSON.stringify(known[name]) === JSON.stringify(value))
        this.#problems.push(`${name} of bot ${told.user_id} came twice`)
      known[name] = value
    }
    return true
  }

  comparable(): Record<string, unknown> {
    return { bots: [...this.#bots].sort(([a], [b]) => a - b) }
  }
}
