import type { Table } from './table.ts'

/** Something to reach. `limit` is the most that `measured` may be. */
export interface Target {
  readonly name: string
  readonly limit: number
  readonly measured: number
  readonly unit: string
}

/** What a part of the benchmark found. */
export interface SectionResult {
  readonly tables: readonly Table[]
  readonly targets?: readonly Target[]
  /** For programs: everything that the tables are made of. */
  readonly data: unknown
}

export const isReached = ({ measured, limit }: Target): boolean => measured <= limit

/** The targets as a table of their own. */
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
