import { Agent } from 'node:http'
import { nowMs } from '../processes/clock.ts'
import { type Call, expectSuccess, send } from './http-call.ts'

export interface LoopResult {
  readonly latencies: number[]
  readonly seconds: number
}

/** Repeats each call sequentially, all calls in parallel; counts responses after the warm-up. */
export async function runClosedLoop(options: {
  calls: readonly Call[]
  seconds: number
  warmUpSeconds: number
}): Promise<LoopResult> {
  const agent = new Agent({ keepAlive: true })
  const countFrom = nowMs() + options.warmUpSeconds * 1000
  const until = countFrom + options.seconds * 1000
  const latencies: number[] = []
  const repeat = async (call: Call) => {
    while (nowMs() < until) {
      const reply = await send(agent, call)
      expectSuccess(reply)
      const at = nowMs()
      if (at >= countFrom && at < until) latencies.push(reply.ms)
    }
  }
  try {
    await Promise.all(options.calls.map(repeat))
  } finally {
    agent.destroy()
  }
  return { latencies, seconds: options.seconds }
}

/** Sends each call the given number of times, all calls in parallel. Returns when the first was sent. */
export async function sendTotal(options: {
  calls: readonly Call[]
  total: number
}): Promise<{ startedAt: number; endedAt: number }> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = nowMs()
  let left = options.total
  const repeat = async (call: Call) => {
    while (left-- > 0) expectSuccess(await send(agent, call))
  }
  try {
    await Promise.all(options.calls.map(repeat))
  } finally {
    agent.destroy()
  }
  return { startedAt, endedAt: nowMs() }
}

/** Sends one call after another in rounds, in a new order each round. Returns the latencies by call and round. */
export async function sendInRounds(options: {
  calls: readonly Call[]
  rounds: number
  perRound: number
}): Promise<number[][][]> {
  const { calls, rounds, perRound } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const latencies: number[][][] = calls.map(() => [])
  try {
    for (const call of calls) for (let i = 0; i < perRound; i++) expectSuccess(await send(agent, call))
    for (let round = 0; round < rounds; round++) {
      for (const index of shuffled(calls.length)) {
        const own: number[] = []
        for (let i = 0; i < perRound; i++) {
          const reply = await send(agent, calls[index] as Call)
          expectSuccess(reply)
          own.push(reply.ms)
        }
        latencies[index]?.push(own)
      }
    }
  } finally {
    agent.destroy()
  }
  return latencies
}

/** Sends all calls in order, repeatedly. Returns the latencies by call. */
export async function sendInTurns(options: { calls: readonly Call[]; rounds: number }): Promise<number[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const latencies: number[][] = options.calls.map(() => [])
  try {
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, call] of options.calls.entries()) {
        const reply = await send(agent, call)
        expectSuccess(reply)
        latencies[index]?.push(reply.ms)
      }
    }
  } finally {
    agent.destroy()
  }
  return latencies
}

function shuffled(length: number): number[] {
  const order = Array.from({ length }, (_, index) => index)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[order[i], order[j]] = [order[j] as number, order[i] as number]
  }
  return order
}
