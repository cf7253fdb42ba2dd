import type { Call } from '../load/http-call.ts'
import { asCount, asMs } from '../report/format.ts'
import { costOf } from '../report/measured-costs.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, senderOf, underLoad } from './bench.ts'

/** Target for the 99th of 100 pages of the newest 100 messages, for any narrow. */
const MAX_P99_MS = 50
const PAGE = 100

type Narrow = readonly (Readonly<Record<string, unknown>> | readonly [string, string])[]
type Narrows = Readonly<Record<string, Narrow>>

const not = (operator: string, operand: string) => ({ operator, operand, negated: true })

/** Pages of the newest messages for every kind of narrow, in a large history. */
export async function measureNarrows(bench: Bench): Promise<SectionResult> {
  const { channelId, partnerId } = await bench.population.history(bench.sizes.historyMessages)
  const channel = { operator: 'channel', operand: channelId }
  return measurePages(
    bench,
    { title: 'Pages of the newest 100', cost: 'page' },
    {
      everything: [],
      channel: [channel],
      'channel and topic': [channel, ['topic', 'topic 5']],
      topic: [['topic', 'topic 5']],
      'not a topic': [not('topic', 'topic 5')],
      'public channels': [['streams', 'public']],
      sender: [{ operator: 'sender', operand: partnerId }],
      'sender in a channel': [channel, { operator: 'sender', operand: partnerId }],
      'conversations with someone': [{ operator: 'dm-including', operand: partnerId }],
      'is:dm': [['is', 'dm']],
      'is:starred': [['is', 'starred']],
      'is:mentioned': [['is', 'mentioned']],
      'is:alerted': [['is', 'alerted']],
      'is:unread': [['is', 'unread']],
      'not is:unread': [not('is', 'unread')],
      'is:resolved': [['is', 'resolved']],
      'is:followed': [['is', 'followed']],
      'in:home': [['in', 'home']],
      'has:link': [['has', 'link']],
      'not has:link': [not('has', 'link')],
      'has:image': [['has', 'image']],
      'has:attachment': [['has', 'attachment']],
      'has:reaction': [['has', 'reaction']],
    },
  )
}

/** The same for searches, by the frequency of the words. */
export async function measureSearch(bench: Bench): Promise<SectionResult> {
  const { channelId, partnerId } = await bench.population.history(bench.sizes.historyMessages)
  const channel = { operator: 'channel', operand: channelId }
  return measurePages(
    bench,
    { title: 'Searches, the newest 100', cost: 'search' },
    {
      'a word in one of 15 messages': [['search', 'w15x']],
      'in one of 100': [['search', 'w100x']],
      'in one of 1,000': [['search', 'w1000x']],
      'in one of 15,000': [['search', 'w15000x']],
      'in none': [['search', 'nowhere']],
      'two frequent words': [['search', 'w4x w9x']],
      'two rare words': [['search', 'w400x w900x']],
      'a part as it stands': [['search', '"00x w1"']],
      'in a channel, frequent': [channel, ['search', 'w15x']],
      'frequent, with a link': [
        ['search', 'w15x'],
        ['has', 'link'],
      ],
      'frequent, by someone': [['search', 'w15x'], { operator: 'sender', operand: partnerId }],
      'in a channel, rare': [channel, ['search', 'w1000x']],
      'not a word': [not('search', 'w15x')],
    },
  )
}

async function measurePages(
  bench: Bench,
  { title, cost }: { readonly title: string; readonly cost: string },
  narrows: Narrows,
): Promise<SectionResult> {
  const { sizes, population } = bench
  const names = Object.keys(narrows)
  const authorization = authorizationOf(senderOf(population))
  const calls = Object.values(narrows).map((narrow): Call => {
    const query = new URLSearchParams({
      anchor: 'newest',
      num_before: String(PAGE),
      num_after: '0',
      narrow: JSON.stringify(narrow),
    })
    const path = `/api/v1/messages?${query.toString()}`
    return { port: portOf(bench.system.baseUrl), method: 'GET', path, headers: { authorization } }
  })
  const { result, usage, seconds } = await underLoad(bench, title, (load) =>
    load.call('sendInRounds', { calls, rounds: sizes.pageRounds, perRound: sizes.pagesPerRound }),
  )
  const measured = names.map((name, i) => ({ name, ...spreadOf((result[i] ?? []).flat()) }))
  return {
    tables: [
      {
        title: `${title}, of ${asCount(sizes.historyMessages)} messages`,
        columns: ['narrow', 'pages', 'p50', 'p99'],
        rows: measured.map(({ name, count, p50, p99 }) => [name, asCount(count), asMs(p50), asMs(p99)]),
        notes: ['through the gateway; the user has 200 channels, 6,000 gaps in what they have read'],
      },
    ],
    targets: [
      {
        name: `${title}: p99 of the slowest`,
        limit: MAX_P99_MS,
        measured: Math.max(...measured.map(({ p99 }) => p99)),
        unit: ' ms',
      },
    ],
    data: { measured },
    costs: { micros: { [cost]: costOf({ usage, seconds, count: result.flat(2).length }) } },
  }
}
