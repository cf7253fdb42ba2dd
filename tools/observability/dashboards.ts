// The Grafana dashboards: grafana.ts generates their JSON from this source, and tests run its queries on Prometheus.
import { events } from './dashboards/events.ts'
import { gateway } from './dashboards/gateway.ts'
import { messaging } from './dashboards/messaging.ts'
import { overview } from './dashboards/overview.ts'
import type { Dashboard } from './panels.ts'

export const dashboards: readonly Dashboard[] = [overview, events, messaging, gateway]

/** All queries of all panels, for checks. */
export function allQueries(): { dashboard: string; panel: string; expr: string }[] {
  return dashboards.flatMap(({ title: dashboard, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) => queries.map(({ expr }) => ({ dashboard, panel: title, expr }))),
    ),
  )
}

/** Replaces the placeholders of an expression. `all` are selectors, `rate` is a duration. */
export function expressionFor(expr: string, { all, rate }: { all: string; rate: string }): string {
  return expr.replaceAll('$all', all).replaceAll('$rate', rate)
}
