// Pictures of the dashboards for the documents: their panels with the data of a real Prometheus, drawn in a headless Chromium by
// uPlot, the library that Grafana uses.
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { takePicture } from '../chromium.ts'
import type { Dashboard, Query } from './panels.ts'
import type { Picture, Range, Series } from './picture.ts'

const WIDTH = 1500
const PANEL_HEIGHT = 242
const GAP = 8
const ROW_TITLE_HEIGHT = 34
const HEAD_HEIGHT = 48
const here = import.meta.dirname
const uplotFolder = join(dirname(createRequire(import.meta.url).resolve('uplot')), '..', 'dist')

/** A series in Prometheus' answer to a range query. */
export interface RangeResult {
  metric: Record<string, string>
  values: [seconds: number, value: string][]
}

interface Drawing {
  dashboard: Dashboard
  range: Range
  /** The result of a panel's query in the range. */
  seriesOf: (query: Query) => Promise<Series[]>
  /** Where to write it. */
  file: string
}

/** Writes a dashboard's picture. Throws without Chromium. */
export async function drawDashboard({ dashboard, range, seriesOf, file }: Drawing): Promise<void> {
  const rows: Picture['rows'] = []
  for (const { title, panels } of dashboard.rows) {
    const drawn: Picture['rows'][number]['panels'] = []
    for (const { queries, ...panel } of panels) {
      const series = (await Promise.all(queries.map(seriesOf))).flat()
      drawn.push({ title: panel.title, unit: panel.unit, kind: panel.kind ?? 'timeseries', series })
    }
    rows.push({ title, panels: drawn })
  }
  const height = HEAD_HEIGHT + rows.length * (PANEL_HEIGHT + ROW_TITLE_HEIGHT) + GAP
  takePicture(pageOf({ title: dashboard.title, rows, range }), { width: WIDTH, height }, file)
}

/** Prometheus' answer to a range query as series, named by the panel's legend. */
export function toSeries({ legend }: Query, result: readonly RangeResult[]): Series[] {
  return result.map(({ metric, values }) => ({
    legend: (legend ?? 'all').replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
    values: values.map(([seconds, value]) => [seconds, Number(value)]),
  }))
}

/** A page without external resources. */
function pageOf(model: Picture): string {
  const read = (path: string) => readFileSync(path, 'utf8')
  const beside = (name: string) => join(here, 'picture', name)
  const library = (name: string) => join(uplotFolder, name)
  return [
    '<!doctype html><meta charset="utf-8">',
    `<style>${read(library('uPlot.min.css'))}${read(beside('style.css'))}</style>`,
    `<body style="--head: ${HEAD_HEIGHT}px; --row-title: ${ROW_TITLE_HEIGHT}px; --panel: ${PANEL_HEIGHT}px">`,
    `<script>${read(library('uPlot.iife.min.js'))}</script>`,
    `<script type="module">${stripTypeScriptTypes(read(beside('draw.ts')))}`,
    `drawDashboard(${JSON.stringify(model).replaceAll('<', String.raw`\u003c`)})</script>`,
  ].join('\n')
}
