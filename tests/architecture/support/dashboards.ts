import { listFiles, read } from './repository.ts'

/** A Grafana dashboard, as far as tests read it. */
export interface GrafanaDashboard {
  readonly title: string
  readonly panels: readonly {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly description?: string
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

export interface Query {
  readonly panel: string
  /** As Prometheus accepts it. */
  readonly expr: string
}

/** The dashboards that are deployed. */
export const dashboards: readonly GrafanaDashboard[] = listFiles(
  'deploy/observability/grafana/dashboards',
).map((path) => JSON.parse(read(path)) as GrafanaDashboard)

/** The Prometheus queries of a dashboard, with values for Grafana's variables. */
export function queriesOf({ panels }: GrafanaDashboard): Query[] {
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replaceAll('$namespace', '.*').replaceAll('$__rate_interval', '5m'),
    })),
  )
}

/** Names of the metrics in an expression. */
export function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/([a-zA-Z_:][\w:]*)\s*\{/g)].map(([, name]) => name as string)
}
