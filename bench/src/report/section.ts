import type { Bar } from './bar-chart.ts'
import type { SectionCosts } from './measured-costs.ts'
import type { Table } from './table.ts'

/** A target. `limit` is the maximum of `measured`. */
export interface Target {
  readonly name: string
  readonly limit: number
  readonly measured: number
  readonly unit: string
}

/** The result of a part of the benchmark. */
export interface SectionResult {
  readonly tables: readonly Table[]
  readonly targets?: readonly Target[]
  /** For programs: all data behind the tables. */
  readonly data: unknown
  /** Its figures in the charts of the document. */
  readonly bars?: readonly Bar[]
  /** What operations of this part cost. */
  readonly costs?: SectionCosts
}

export const isReached = ({ measured, limit }: Target): boolean => measured <= limit

/** The targets as a table. */
export function targetTable(targets: readonly Target[]): Table {
  return {
    title: 'Targets',
    columns: ['target', 'at most', 'measured', ''],
    rows: targets.map((target) => [
      target.name,
      `${target.limit}${target.unit}`,
      `${target.measured.toFixed(2)}${target.unit}`,
      isReached(target) ? 'reached' : 'MISSED',
    ]),
    notes: [],
  }
}
