// Draws a dashboard in a page that has loaded uPlot.
/* global document, uPlot */

// eslint-disable-next-line no-unused-vars -- the page calls it
function drawDashboard({ title, rows, range }) {
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
  const GRID = { stroke: '#2a2d33', width: 1 }
  const short = (value) => String(Number(value.toPrecision(3)))
  const scaled = (value, units, base) => {
    let at = 0
    for (; Math.abs(value) >= base && at < units.length - 1; at++) value /= base
    return `${short(value)}${units[at]}`
  }
  const formats = {
    short: (value) => scaled(value, ['', ' K', ' Mil'], 1000),
    ops: (value) => `${short(value)} ops/s`,
    reqps: (value) => `${short(value)} req/s`,
    percentunit: (value) => `${short(value * 100)}%`,
    bytes: (value) => scaled(value, [' B', ' KiB', ' MiB', ' GiB'], 1024),
    s: (value) => (value === 0 ? '0 s' : value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`),
  }
  const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19)
  const add = (parent, name, text = '', className = '') => {
    const element = parent.appendChild(document.createElement(name))
    element.textContent = text
    element.className = className
    return element
  }
  const times = []
  for (let at = range.from; at <= range.to; at += range.step) times.push(at)
  add(document.body, 'h1', title)
  const drawings = []
  for (const row of rows) {
    add(document.body, 'h2', row.title)
    const line = add(document.body, 'div', '', 'row')
    for (const { title, unit, kind, series } of row.panels) {
      const box = add(line, 'div', '', 'panel')
      add(box, 'h3', title)
      drawings.push(() => (kind === 'stat' ? drawStats : drawLines)(box, series, formats[unit]))
    }
  }
  // Draws after all panels exist, since a panel's width depends on its neighbours.
  for (const run of drawings) run()

  function drawStats(box, series, format) {
    const stats = add(box, 'div', '', 'stats')
    for (const { legend, values } of series) {
      const stat = add(stats, 'div')
      add(stat, 'b', format(values.at(-1)[1]))
      if (series.length > 1) add(stat, 'span', legend)
    }
  }

  function drawLines(box, series, format) {
    const legend = document.createElement('div')
    legend.className = 'legend'
    for (const [index, { legend: name }] of series.entries()) {
      const entry = add(legend, 'span', name)
      const mark = entry.insertBefore(document.createElement('i'), entry.firstChild)
      mark.style.background = COLORS[index % COLORS.length]
    }
    const lines = series.map(({ values }) => {
      const found = new Map(values.map(([at, value]) => [Math.round(at), value]))
      return times.map((at) => {
        const value = found.get(Math.round(at))
        return value === undefined || Number.isNaN(value) ? null : value
      })
    })
    const most = Math.max(0, ...lines.flat().filter((value) => value !== null))
    box.append(legend)
    const plot = document.createElement('div')
    box.insertBefore(plot, legend)
    const options = {
      width: box.clientWidth - 16,
      height: box.clientHeight - plot.offsetTop - legend.offsetHeight - 4,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: [0, most === 0 ? 1 : most * 1.1] } },
      axes: [
        { stroke: '#ccccdc', grid: GRID, ticks: GRID, values: (_, values) => values.map(clock) },
        { stroke: '#ccccdc', grid: GRID, ticks: GRID, size: 78, values: (_, values) => values.map(format) },
      ],
      series: [
        {},
        ...lines.map((_, index) => ({
          stroke: COLORS[index % COLORS.length],
          fill: `${COLORS[index % COLORS.length]}1a`,
          width: 1.5,
          points: { show: false },
        })),
      ],
    }
    new uPlot(options, [times, ...lines], plot)
  }
}
