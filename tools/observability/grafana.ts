// Generates the JSON of Grafana dashboards.
import { expressionFor } from './dashboards.ts'
import type { Dashboard, Panel } from './panels.ts'

const WIDTH = 24
const HEIGHT = 8
const SOURCE = { type: 'prometheus', uid: '${datasource}' }
/** In Kubernetes the namespace distinguishes installations; elsewhere series have none, which `.*` matches too. */
const IN_GRAFANA = { all: 'namespace=~"$namespace", job=~"tms-.+"', rate: '$__rate_interval' }

/** A dashboard as Grafana imports and provisions it. */
export function toGrafana({ uid, title, about, rows }: Dashboard): object {
  let id = 0
  let y = 0
  const panels = rows.flatMap((row) => {
    const header = {
      ...{ id: ++id, type: 'row', title: row.title, collapsed: false, panels: [] },
      gridPos: { x: 0, y: y++, w: WIDTH, h: 1 },
    }
    const w = WIDTH / row.panels.length
    const positioned = row.panels.map((panel, index) => ({
      ...toPanel(panel, ++id),
      gridPos: { x: index * w, y, w, h: HEIGHT },
    }))
    y += HEIGHT
    return [header, ...positioned]
  })
  return {
    ...{ uid, title, description: about, tags: ['team-messaging'], editable: false, schemaVersion: 41 },
    ...{ time: { from: 'now-1h', to: 'now' }, refresh: '30s', timezone: 'browser', graphTooltip: 1 },
    links: [
      {
        type: 'dashboards',
        title: 'Team Messaging',
        tags: ['team-messaging'],
        asDropdown: true,
        keepTime: true,
      },
    ],
    templating: { list: variables },
    panels,
  }
}

const variables = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    ...{ name: 'namespace', label: 'Namespace', type: 'query', datasource: SOURCE },
    query: 'label_values(up{job=~"tms-.+"}, namespace)',
    ...{ includeAll: true, allValue: '.*', multi: false, refresh: 2, sort: 1 },
    current: { text: 'All', value: '$__all' },
  },
]

function toPanel({ title, about, unit, kind = 'timeseries', queries }: Panel, id: number) {
  return {
    ...{ id, type: kind, title, description: about, datasource: SOURCE },
    fieldConfig: {
      defaults: {
        ...{ unit, min: 0 },
        ...(kind === 'timeseries' ? { custom: { showPoints: 'never', fillOpacity: 10 } } : {}),
      },
      overrides: [],
    },
    options:
      kind === 'timeseries'
        ? { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } }
        : { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'none' },
    targets: queries.map(({ expr, legend }, index) => ({
      ...{ refId: String.fromCharCode(65 + index), datasource: SOURCE },
      expr: expressionFor(expr, IN_GRAFANA),
      legendFormat: legend ?? '__auto',
      ...(kind === 'stat' ? { instant: true } : {}),
    })),
  }
}
