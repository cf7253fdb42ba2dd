import { within } from '../concurrency/within.ts'

/**
 * A figure that the database doesn't return by then is reported as unknown, so that it doesn't delay the other
 * metrics.
 */
const FIGURE_MS = 2_000

/** The figure, or NaN if it isn't known in time. */
export const orUnknown = (figure: Promise<number>): Promise<number> =>
  within(FIGURE_MS, 'not measured in time', figure).catch(() => Number.NaN)
