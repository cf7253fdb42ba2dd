// The Grafana dashboards: grafana.mjs generates their JSON from this source, and tests run its queries on Prometheus.
import { events } from './dashboards/events.mjs'
import { gateway } from './dashboards/gateway.mjs'
import { messaging } from './dashboards/messaging.mjs'
import { overview } from './dashboards/overview.mjs'

export const dashboards = [overview, events, messaging, gateway]

/** All queries of all panels, for checks. */
export function allQueries() {
  return dashboards.flatMap(({ title: dashboard, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) => queries.map(({ expr }) => ({ dashboard, panel: title, expr }))),
    ),
  )
}

/** Replaces the placeholders of an expression. `all` are selectors, `rate` is a duration. */
export function expressionFor(expr, { all, rate }) {
  return expr.replaceAll('$all', all).replaceAll('$rate', rate)
}
