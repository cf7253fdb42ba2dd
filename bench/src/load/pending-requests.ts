import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, LIKE_CLIENTS, send } from './http-call.ts'

/** Opens requests that are never answered. */
export class PendingRequests {
  readonly #agent = new Agent(LIKE_CLIENTS)
  #count = 0

  async raiseTo(options: { call: Call; count: number }): Promise<void> {
    while (this.#count < options.count) {
      this.#count++
      // They end with the agent, unanswered.
      send(this.#agent, options.call).catch(() => {})
      if (this.#count % 100 === 0) await sleep(10)
    }
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
  }
}
