import type { Mark } from '../probe/trace.ts'

/** A mark, with the service that made it. */
export interface ServiceMark extends Mark {
  readonly service: string
}

/** One step of a send's way: it ends with the first fitting mark after the end of the step before. */
export interface Step {
  readonly label: string
  readonly ends: (mark: ServiceMark) => boolean
}

/**
 * Cuts the time from `startedAt` to `endedAt` into the steps. Returns the milliseconds of each, and of what
 * is left to the end; null when a step's mark isn't there.
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
