import { endpoints } from '@tms/contracts'
import { registerQueue, type TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboards, metricsIn, queriesOf } from '../../architecture/support/dashboards.ts'
import { read } from '../../architecture/support/repository.ts'
import { metricOf } from '../support/observe.ts'
import { until } from '../support/until.ts'
import { newUsers, sendDirectly } from '../support/users-and-channels.ts'

/** Metrics of Prometheus itself. */
const OF_PROMETHEUS = ['up', 'ALERTS']

interface Alert {
  readonly expr: string
}

export const metricTests = (system: () => TestSystem): void => {
  test('services export the metrics that dashboards show and alerts use', async () => {
    const urls = Object.values(system().system.urls).flat()
    const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
    const given = new Set(texts.flatMap(namesIn))
    const { groups } = parse(read('deploy/observability/alerts.yaml')) as { groups: { rules: Alert[] }[] }
    const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
    const usedMetrics = [...dashboards.flatMap(queriesOf).map(({ expr }) => expr), ...alerts].flatMap(
      metricsIn,
    )

    const unknown = texts.flatMap(
      (text) => text.match(/^(event|projection|gateway|jobs|outbox|scheduled|tls)_\S* nan$/gim) ?? [],
    )

    expect(unknown).toEqual([])
    expect(usedMetrics.filter((name) => !given.has(name) && !OF_PROMETHEUS.includes(name))).toEqual([])
    expect(alerts.length).toBeGreaterThan(8)
  })

  test('docs/observability.md lists exactly the services’ own metrics', async () => {
    const rows = read('docs/observability.md').matchAll(/^\| `([a-z_]+)` +\| ([a-z, ]+?) +\| (.+?) +\|$/gm)

    expect([...rows].map(([, name, by, help]) => ({ name, by, help }))).toEqual(
      await describedMetrics(system()),
    )
  })

  describe('the time of deliveries', () => {
    const { getEvents } = endpoints.events
    const replicas = () => system().system.urls.events
    const countPending = async (): Promise<number> =>
      sum(await Promise.all(replicas().map((url) => metricOf(url, 'event_pending_polls'))))
    /** Two users, and the second one's queue for messages. */
    const start = async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const { queueId } = await registerQueue(ben, { event_types: ['message'] })
      const poll = (input: { dont_block?: boolean } = {}) =>
        ben.call(getEvents, { queue_id: queueId, last_event_id: -1, ...input })
      return { poll, send: () => sendDirectly(ann, [ben], 'x') }
    }

    test('is measured for an event that a pending poll is answered with', async () => {
      const { poll, send } = await start()
      const pending = await countPending()
      const polling = poll()
      await until(async () => (await countPending()) > pending)
      const before = await deliveryTimes(replicas())
      await send()
      const { events } = await polling

      const after = await deliveryTimes(replicas())
      expect(events).toHaveLength(1)
      expect(after.answers - before.answers).toBe(1)
      expect(after.withinSecond - before.withinSecond).toBe(1)
      expect(after.seconds - before.seconds).toBeGreaterThan(0)
    })

    test('is not measured for an event that a later poll reads', async () => {
      const { poll, send } = await start()
      const before = await deliveryTimes(replicas())
      await send()
      await until(async () => (await poll({ dont_block: true })).events.length > 0)
      const { events } = await poll()

      expect(events).toHaveLength(1)
      expect(await deliveryTimes(replicas())).toEqual(before)
    })
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The measured deliveries of these replicas: their number, how many took a second at most, and their times together. */
async function deliveryTimes(urls: readonly string[]) {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  const total = (series: RegExp) => sum(texts.map((text) => Number(series.exec(text)?.[1])))
  return {
    answers: total(/^event_delivery_seconds_count\S* (\S+)$/m),
    withinSecond: total(/^event_delivery_seconds_bucket\{le="1",\S* (\S+)$/m),
    seconds: total(/^event_delivery_seconds_sum\S* (\S+)$/m),
  }
}

/** The metrics beyond those of every Node process, with their services. */
async function describedMetrics({ system }: TestSystem) {
  const found = new Map<string, { by: string[]; help: string }>()
  for (const [service, [url]] of Object.entries(system.urls)) {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const [, name = '', help = ''] of text.matchAll(/^# HELP (\S+) (.+)$/gm)) {
      if (/^(process|nodejs)_/.test(name)) continue
      const known = found.get(name) ?? { by: [], help }
      known.by.push(service)
      found.set(name, known)
    }
  }
  return [...found]
    .map(([name, { by, help }]) => ({ name, by: by.sort().join(', '), help }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Names of series, for histograms all of them. */
function namesIn(metrics: string): string[] {
  return [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) =>
    type === 'histogram' || type === 'summary' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
}
