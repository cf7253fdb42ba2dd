// Draws a dashboard in a page that has loaded uPlot. The page gets this file without its types.
import type { Picture } from '../picture.ts'

type Series = Picture['rows'][number]['panels'][number]['series']
type Unit = Picture['rows'][number]['panels'][number]['unit']
type Format = (value: number) => string

declare const uPlot: typeof import('uplot')

const COLORS = [
  '#73bf69',
  '#f2cc0c',
  '#5794f2',
  '#ff780a',
  '#f2495c',
  '#b877d9',
  '#8ab8ff',
  '#ffa6b0',
  '#37872d',
  '#fade2a',
]
const TEXT = '#ccccdc'
const GRID = { stroke: '#2a2d33', width: 1 }

const short: Format = (value) => String(Number(value.toPrecision(3)))
const scaled = (value: number, units: readonly string[], base: number) => {
  let [rest, at] = [value, 0]
  for (; Math.abs(rest) >= base && at < units.length - 1; at++) rest /= base
  return `${short(rest)}${units[at]}`
}
const FORMATS: Readonly<Record<Unit, Format>> = {
  short: (value) => scaled(value, ['', ' K', ' Mil'], 1000),
  ops: (value) => `${short(value)} ops/s`,
  reqps: (value) => `${short(value)} req/s`,
  percentunit: (value) => `${short(value * 100)}%`,
  bytes: (value) => scaled(value, [' B', ' KiB', ' MiB', ' GiB'], 1024),
  s: (value) => (value === 0 ? '0 s' : value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`),
}
const formatTime: Format = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19)
const colorOf = (index: number) => COLORS[index % COLORS.length] ?? TEXT

export function drawDashboard({ title, rows, range }: Picture): void {
  const times: number[] = []
  for (let at = range.from; at <= range.to; at += range.step) times.push(at)
  add(document.body, 'h1', title)
  const drawings: (() => void)[] = []
  for (const row of rows) {
    add(document.body, 'h2', row.title)
    const line = add(document.body, 'div', '', 'row')
    for (const { title: name, unit, kind, series } of row.panels) {
      const box = add(line, 'div', '', 'panel')
      add(box, 'h3', name)
      const format = FORMATS[unit]
      drawings.push(() =>
        kind === 'stat' ? drawStats(box, series, format) : drawLines(box, series, format, times),
      )
    }
  }
  // Draws after all panels exist, since a panel's width depends on its neighbours.
  for (const draw of drawings) draw()
}

function add(parent: HTMLElement, name: string, text = '', className = ''): HTMLElement {
  const element = parent.appendChild(document.createElement(name))
  element.textContent = text
  element.className = className
  return element
}

function drawStats(box: HTMLElement, series: Series, format: Format): void {
  const stats = add(box, 'div', '', 'stats')
  for (const { legend, values } of series) {
    const stat = add(stats, 'div')
    add(stat, 'b', format(values.at(-1)?.[1] ?? Number.NaN))
    if (series.length > 1) add(stat, 'span', legend)
  }
}

function drawLines(box: HTMLElement, series: Series, format: Format, times: number[]): void {
  const plot = add(box, 'div')
  const legend = add(box, 'div', '', 'legend')
  for (const [index, { legend: name }] of series.entries()) {
    const entry = add(legend, 'span', name)
    const mark = entry.insertBefore(document.createElement('i'), entry.firstChild)
    mark.style.background = colorOf(index)
  }
  const lines = series.map(({ values }) => {
    const found = new Map(values.map(([at, value]) => [Math.round(at), value]))
    return times.map((at) => {
      const value = found.get(Math.round(at))
      return value === undefined || Number.isNaN(value) ? null : value
    })
  })
  const most = Math.max(0, ...lines.flat().filter((value) => value !== null))
  const axis = { stroke: TEXT, grid: GRID, ticks: GRID }
  const options = {
    width: box.clientWidth - 16,
    height: box.clientHeight - plot.offsetTop - legend.offsetHeight - 4,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: [0, most === 0 ? 1 : most * 1.1] satisfies [number, number] } },
    axes: [
      { ...axis, values: (_: unknown, values: number[]) => values.map(formatTime) },
      { ...axis, size: 78, values: (_: unknown, values: number[]) => values.map(format) },
    ],
    series: [
      {},
      ...lines.map((_, index) => ({
        stroke: colorOf(index),
        fill: `${colorOf(index)}1a`,
        width: 1.5,
        points: { show: false },
      })),
    ],
  }
  new uPlot(options, [times, ...lines], plot)
}
