import type { Mark } from '../probe/trace.ts'

/** A mark, with the service that made it. */
export interface ServiceMark extends Mark {
  readonly service: string
}

/** One step of a send: it ends with the first matching mark after the end of the previous step. */
export interface Step {
  readonly label: string
  readonly ends: (mark: ServiceMark) => boolean
}

/**
 * Splits the time from `startedAt` to `endedAt` into the steps. Returns the milliseconds of each, and of the rest; null if the
 * mark of a step is missing.
 */
export function cutIntoSteps(
  marks: readonly ServiceMark[],
  steps: readonly Step[],
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
): number[] | null {
  const lengths: number[] = []
  let at = startedAt
  let index = marks.findIndex((mark) => mark.at >= startedAt)
  if (index < 0) return null
  for (const { ends } of steps) {
    while (index < marks.length && !ends(marks[index] as ServiceMark)) index++
    const mark = marks[index++]
    if (!mark || mark.at > endedAt) return null
    lengths.push(mark.at - at)
    at = mark.at
  }
  lengths.push(endedAt - at)
  return lengths
}
