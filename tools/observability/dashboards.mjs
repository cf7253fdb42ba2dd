// What the Grafana dashboards show: the one source that their JSON is made from (grafana.mjs), and that tests ask
// Prometheus about.
import { events } from './dashboards/events.mjs'
import { gateway } from './dashboards/gateway.mjs'
import { messaging } from './dashboards/messaging.mjs'
import { overview } from './dashboards/overview.mjs'

export const dashboards = [overview, events, messaging, gateway]

/** All queries of all panels, for what looks whether they are right. */
export function allQueries() {
  return dashboards.flatMap(({ title: dashboard, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) => queries.map(({ expr }) => ({ dashboard, panel: title, expr }))),
    ),
  )
}

/** An expression as Prometheus takes it. `all` are selectors, `rate` a duration. */
export function expressionFor(expr, { all, rate }) {
  return expr.replaceAll('$all', all).replaceAll('$rate', rate)
}
