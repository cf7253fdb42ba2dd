/** How a message appears on devices: as itself, as the summary of all that follow within the hour, or not at all. */
export type Appearance = 'message' | 'summary' | 'none'

/** What has appeared within the last hour. */
export interface ShownOfHour {
  readonly count: number
  /** Whether a summary was among it. */
  readonly isSummedUp: boolean
}

/** `max` is what an hour may bring; 0 for any number. After a summary nothing appears for an hour, and then messages again. */
export function appearanceOf({ count, isSummedUp }: ShownOfHour, max: number): Appearance {
  if (max === 0) return 'message'
  if (isSummedUp) return 'none'
  return count < max - 1 ? 'message' : 'summary'
}
