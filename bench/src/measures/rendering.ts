import { type Call, formCall } from '../load/http-call.ts'
import { asCount, asMs } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { type Spread, spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeUsage, senderOf, underLoad } from './bench.ts'
import { hostileTexts, ordinaryTexts } from './rendering-texts.ts'

/** Renderings per second of typical messages; then hostile texts, and their effect on others. */
export async function measureRendering(bench: Bench): Promise<SectionResult> {
  const time = { seconds: bench.sizes.loadSeconds, warmUpSeconds: bench.sizes.warmUpSeconds }
  const ordinary = ordinaryTexts.map((content, i) => renderCall(bench, i, content))

  const { result, usage } = await underLoad(bench, 'rendering what people send', (senders) =>
    senders.call('runClosedLoop', { ...time, calls: ordinary }),
  )
  const alone = { perSecond: result.latencies.length / result.seconds, ...spreadOf(result.latencies) }

  const hostile: { name: string; own: Spread; others: Spread }[] = []
  for (const [name, content] of hostileTexts) {
    const calls = [renderCall(bench, ordinary.length, content)]
    const [own, others] = (
      await underLoad(bench, `rendering ${name}`, (senders) =>
        Promise.all([
          senders.call('runClosedLoop', { ...time, calls }),
          bench.listeners.call('runClosedLoop', { ...time, calls: ordinary.slice(0, 1) }),
        ]),
      )
    ).result
    hostile.push({ name, own: spreadOf(own.latencies), others: spreadOf(others.latencies) })
  }
  return {
    tables: [
      {
        title: 'Rendering',
        columns: ['texts', 'at a time', 'per second', 'p50', 'p99'],
        rows: [
          [
            'what people send',
            String(ordinary.length),
            asCount(alone.perSecond),
            asMs(alone.p50),
            asMs(alone.p99),
          ],
        ],
        notes: [`busy cores: ${describeUsage(usage)}`],
      },
      {
        title: 'Hostile texts, one after another, and short ones meanwhile',
        columns: ['text', 'p50', 'max', 'short ones p50', 'short ones p99'],
        rows: hostile.map(({ name, own, others }) => [
          name,
          asMs(own.p50),
          asMs(own.max),
          asMs(others.p50),
          asMs(others.p99),
        ]),
        notes: [],
      },
    ],
    data: { alone, hostile },
  }
}

function renderCall(bench: Bench, sender: number, content: string): Call {
  return formCall(
    portOf(bench.system.baseUrl),
    '/api/v1/messages/render',
    authorizationOf(senderOf(bench.population, sender)),
    { content },
  )
}
