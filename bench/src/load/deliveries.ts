import { Agent } from 'node:http'
import { openFloor } from './bare-calls.ts'
import { type Call, expectSuccess, send } from './http-call.ts'
import { type Listeners, pauseBetweenSends } from './listeners.ts'

/** Milliseconds, by sample. */
export interface DeliverySamples {
  /** Until the sender has the reply. */
  readonly replies: number[]
  /** Until the listener has the message. */
  readonly deliveries: number[]
  readonly transactions: number[]
  readonly confirms: number[]
  /** A request through a bare proxy to a bare server. */
  readonly twoHops: number[]
  /** A request to a bare server. */
  readonly oneHop: number[]
}

/**
 * Measures deliveries and their parts in alternating rounds, so that noise affects all alike. Parts are spaced like the sends:
 * a connection that was idle for a moment is slower than one in a tight loop.
 */
export async function measureDeliveries(
  listeners: Listeners,
  options: {
    sendCall: Call
    oneHopCall: Call
    twoHopsCall: Call
    urls: { postgres: string; rabbitmq: string }
    rounds: number
    perRound: number
  },
): Promise<DeliverySamples> {
  const { rounds, perRound } = options
  const samples: DeliverySamples = {
    replies: [],
    deliveries: [],
    transactions: [],
    confirms: [],
    twoHops: [],
    oneHop: [],
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const floor = await openFloor(options.urls)
  const hop = async (call: Call) => {
    const reply = await send(agent, call)
    expectSuccess(reply)
    return reply.ms
  }
  const collect = async (into: number[], measure: () => Promise<number>) => {
    for (let i = 0; i < perRound; i++) {
      await pauseBetweenSends()
      into.push(await measure())
    }
  }
  try {
    await listeners.broadcast({ call: options.sendCall, messages: perRound })
    for (let round = 0; round < rounds; round++) {
      for (const { replyMs, lastMs } of await listeners.broadcast({
        call: options.sendCall,
        messages: perRound,
      })) {
        samples.replies.push(replyMs)
        samples.deliveries.push(lastMs)
      }
      await collect(samples.transactions, floor.transaction)
      await collect(samples.confirms, floor.confirm)
      await collect(samples.twoHops, () => hop(options.twoHopsCall))
      await collect(samples.oneHop, () => hop(options.oneHopCall))
    }
  } finally {
    agent.destroy()
    await floor.close()
  }
  return samples
}
