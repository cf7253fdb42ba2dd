import { Agent } from 'node:http'
import { type Call, expectSuccess, formCall, send } from '../load/http-call.ts'
import { asCount, asMs } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { medianOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, messageFields } from './bench.ts'

/** Milliseconds: a user waits for it. */
const MAX_MS = 3_000
const AT_ONCE = 8

/** The time to move a topic of many messages, by the number of subscribers. */
export async function measureMoves(bench: Bench): Promise<SectionResult> {
  const { messages, subscribers, rounds } = bench.sizes.moves
  const agent = new Agent({ keepAlive: true })
  const measured: { subscribers: number; toTopic: number; toChannel: number }[] = []
  try {
    for (const count of subscribers) {
      const done = bench.progress.step(`moves between channels of ${asCount(count)}`)
      const from = await bench.population.createChannel(`moves from ${count}`, count)
      const to = await bench.population.createChannel(`moves to ${count}`, count)
      await bench.population.analyze()
      const firstId = await fill(bench, agent, from, messages)
      const move = (fields: Record<string, string>) => timed(agent, moveCall(bench, firstId, fields))
      const toTopic: number[] = []
      const toChannel: number[] = []
      for (let round = 0; round < rounds; round++) {
        toTopic.push(await move({ topic: `topic ${round}` }))
        toChannel.push(await move({ stream_id: String(to) }), await move({ stream_id: String(from) }))
      }
      measured.push({ subscribers: count, toTopic: medianOf(toTopic), toChannel: medianOf(toChannel) })
      done()
    }
  } finally {
    agent.destroy()
  }
  const largest = measured.at(-1)
  if (!largest) throw new Error('nothing was measured')
  return {
    tables: [
      {
        title: `Moving ${asCount(messages)} messages at once, none of them read`,
        columns: ['subscribers of each channel', 'to another topic', 'to another channel'],
        rows: measured.map((one) => [asCount(one.subscribers), asMs(one.toTopic), asMs(one.toChannel)]),
        notes: [],
      },
    ],
    targets: [
      {
        name: `a move of ${asCount(messages)} messages between channels of ${asCount(largest.subscribers)}`,
        limit: MAX_MS,
        measured: largest.toChannel,
        unit: ' ms',
      },
    ],
    data: { measured },
  }
}

/** Sends messages to one topic and returns the ID of the first. */
async function fill(bench: Bench, agent: Agent, channelId: number, count: number): Promise<number> {
  const call = formCall(
    portOf(bench.system.baseUrl),
    '/api/v1/messages',
    authorizationOf(bench.owner),
    messageFields(channelId),
  )
  const first = JSON.parse(expectSuccess(await send(agent, call))) as { id: number }
  let left = count - 1
  const repeat = async () => {
    while (left-- > 0) expectSuccess(await send(agent, call))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, repeat))
  return first.id
}

function moveCall(bench: Bench, messageId: number, fields: Record<string, string>): Call {
  const quiet = { propagate_mode: 'change_all', send_notification_to_new_thread: 'false' }
  const path = `/api/v1/messages/${messageId}`
  const call = formCall(portOf(bench.system.baseUrl), path, authorizationOf(bench.owner), {
    ...quiet,
    ...fields,
  })
  return { ...call, method: 'PATCH' }
}

async function timed(agent: Agent, call: Call): Promise<number> {
  const reply = await send(agent, call)
  expectSuccess(reply)
  return reply.ms
}
