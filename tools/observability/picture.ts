import type { Panel } from './panels.ts'

export interface Series {
  legend: string
  values: [seconds: number, value: number][]
}

/** In Unix seconds, with a value every `step`. */
export interface Range {
  from: number
  to: number
  step: number
}

/** A dashboard with its data, as the page of a picture draws it. */
export interface Picture {
  title: string
  range: Range
  rows: {
    title: string
    panels: { title: string; unit: Panel['unit']; kind: Panel['kind']; series: Series[] }[]
  }[]
}
