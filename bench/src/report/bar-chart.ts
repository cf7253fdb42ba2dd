/** The charts of the document, with their titles. */
export const chartTitles = {
  delivery: 'CPU of a delivery, message by message, in µs',
  rates: 'Operations a second, 50 at once',
  subscribers: 'Median time of a send by the number of subscribers, in ms',
} as const
export type ChartName = keyof typeof chartTitles

/** A figure of a chart. */
export interface Bar {
  readonly chart: ChartName
  readonly label: string
  readonly value: number
  /** Whether it is a bare part or another product, measured for comparison. */
  readonly isOther: boolean
}

const WIDTH = 760
const ROW = 30
const TOP = 44
const LABELS = 300
/** Space for the figure behind the longest bar. */
const FIGURES = 90

/** Draws horizontal bars from zero, as an SVG image that follows the reader's light or dark scheme. */
export function drawBars(name: ChartName, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const height = TOP + bars.length * ROW + 6
  const rows = bars.map(({ label, value, isOther }, i) => {
    const y = TOP + i * ROW
    const width = most > 0 ? (value / most) * (WIDTH - LABELS - FIGURES) : 0
    return [
      `<text x="${LABELS - 10}" y="${y + 15}" text-anchor="end">${escape(label)}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="20" rx="2"${isOther ? ' class="other"' : ''}/>`,
      `<text x="${(LABELS + width + 8).toFixed(1)}" y="${y + 15}">${figure(value)}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(chartTitles[name])}">
<style>
text { font: 14px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
rect { fill: #2f6feb }
.other { fill: #8b949e }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
</style>
<text class="title" x="10" y="22">${escape(chartTitles[name])}</text>
${rows.join('\n')}
</svg>
`
}

const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString()

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
