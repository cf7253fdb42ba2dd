import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, expectSuccess, send } from './http-call.ts'

/** Often enough to notice every delay, rarely enough to add no load. */
const BYSTANDER_PAUSE_MS = 10

export interface Registers {
  /** From before sending to the last byte of the response. */
  readonly latencies: number[]
  /** Latencies of another client's calls meanwhile. */
  readonly bystander: number[]
  /** Of the last response, on the wire. */
  readonly bytes: number
}

/**
 * Sends a call repeatedly, with a given total and concurrency, while another client's small call is repeated. Also returns the
 * size of the last response.
 */
export async function measureRegisters(options: {
  call: Call
  bystander: Call
  total: number
  atOnce: number
}): Promise<Registers> {
  const agent = new Agent({ keepAlive: true })
  const latencies: number[] = []
  const bystander: number[] = []
  let left = options.total
  let bytes = 0
  let isOver = false
  const repeat = async () => {
    while (left-- > 0) {
      const reply = await send(agent, options.call)
      expectSuccess(reply)
      bytes = reply.bytes
      latencies.push(reply.ms)
    }
  }
  const pollAsBystander = async () => {
    while (!isOver) {
      const reply = await send(agent, options.bystander)
      expectSuccess(reply)
      bystander.push(reply.ms)
      await sleep(BYSTANDER_PAUSE_MS)
    }
  }
  const registering = Promise.all(Array.from({ length: options.atOnce }, repeat)).finally(() => {
    isOver = true
  })
  try {
    await Promise.all([registering, pollAsBystander()])
  } finally {
    agent.destroy()
  }
  return { latencies, bystander, bytes }
}
