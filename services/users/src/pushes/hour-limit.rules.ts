/** How a message appears on devices: as itself, as the summary of all that follow within the hour, or not at all. */
export type Appearance = 'message' | 'summary' | 'none'

/** `shown` is what has appeared within the last hour, `max` what may; 0 for any number. */
export function appearanceOf(shown: number, max: number): Appearance {
  if (max === 0 || shown < max - 1) return 'message'
  return shown < max ? 'summary' : 'none'
}
