import type { TestSystem } from '@tms/test-kit'
import { expect, test } from 'vitest'
import { dashboards, metricsIn, queriesOf } from '../../architecture/support/dashboards.ts'
import { read } from '../../architecture/support/repository.ts'

/** Metrics of Prometheus itself. */
const OF_PROMETHEUS = ['up', 'ALERTS']

export const metricTests = (system: () => TestSystem): void => {
  test('services export the metrics that dashboards show and alerts use', async () => {
    const urls = Object.values(system().system.urls).flat()
    const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
    const given = new Set(texts.flatMap(namesIn))
    const alerts = [...read('deploy/observability/alerts.yaml').matchAll(/expr: '(.+)'$/gm)].map(
      ([, expr]) => `${expr}`,
    )
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
