import type { Call } from '../load/http-call.ts'
import { asCount, asKb, asMs } from '../report/format.ts'
import { costOf } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { medianOf } from '../report/statistics.ts'
import { startNchan } from '../setup/nchan.ts'
import { type Bench, describeCost, describeUsage, underLoad } from './bench.ts'

/** Bytes of a message, about those of our event. */
const MESSAGE_BYTES = 1_200
const TITLE = 'Beside it: nchan, the long-poll module of nginx'

/**
 * The same load as 'Deliveries per second' for nchan, in memory: one message after the other to held polls. It has no accounts, and
 * one channel; what is published is lost with the process.
 */
export async function measureNchan(bench: Bench): Promise<SectionResult> {
  const nchan = await startNchan()
  if (nchan === null) {
    const note = 'not measured: nginx with nchan is not installed (Debian: nginx, libnginx-mod-nchan)'
    return { tables: [{ title: TITLE, columns: ['live polls'], rows: [], notes: [note] }], data: null }
  }
  const { listeners, sizes } = bench
  const call: Call = {
    port: nchan.port,
    method: 'POST',
    path: '/publish',
    headers: { 'content-type': 'text/plain', 'content-length': String(MESSAGE_BYTES) },
    body: 'x'.repeat(MESSAGE_BYTES),
  }
  const withNchan: Bench = {
    ...bench,
    processes: () => new Map([...bench.processes(), ['nchan', [nchan.pid]]]),
  }
  const measured = []
  try {
    const emptyBytes = nchan.residentBytes()
    for (const { queues, singly } of sizes.queueLoads) {
      await listeners.call('followChannel', { port: nchan.port, path: '/poll', count: queues })
      const bytesPerPoll = (nchan.residentBytes() - emptyBytes) / queues
      const load = await underLoad(withNchan, `${queues} polls of nchan, message by message`, () =>
        listeners.call('broadcastToChannel', { call, messages: singly }),
      )
      measured.push({
        queues,
        bytesPerPoll,
        firstMs: medianOf(load.result.map(({ firstMs }) => firstMs)),
        lastMs: medianOf(load.result.map(({ lastMs }) => lastMs)),
        usage: load.usage,
        micros: costOf({ ...load, count: singly * queues }),
        cost: describeCost({ ...load, count: singly * queues }, ['nchan']),
      })
    }
  } finally {
    await listeners.call('leaveChannel')
    nchan.stop()
  }
  return {
    tables: [
      {
        title: TITLE,
        columns: ['live polls', 'message by message', 'first, last of a message', 'memory of a poll'],
        rows: measured.map(({ queues, firstMs, lastMs, bytesPerPoll }) => [
          asCount(queues),
          asCount((queues / lastMs) * 1000),
          `${asMs(firstMs)}, ${asMs(lastMs)}`,
          asKb(bytesPerPoll),
        ]),
        notes: [
          'one process, in memory, without accounts; one channel for all',
          ...measured.map(
            ({ queues, usage, cost }) =>
              `busy cores, ${asCount(queues)} polls: ${describeUsage(usage)}; CPU of a delivery ${cost}`,
          ),
        ],
      },
    ],
    data: measured,
    bars: measured.slice(-1).map(({ queues, micros }) => ({
      chart: 'delivery',
      label: `nchan, one of ${asCount(queues)} polls`,
      value: micros['nchan'] ?? 0,
      isOther: true,
    })),
  }
}
