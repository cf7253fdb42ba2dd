/** What is told of a set of samples; milliseconds where the samples are. */
export interface Spread {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Throws when there are no samples. */
export function spreadOf(samples: readonly number[]): Spread {
  if (samples.length === 0) throw new Error('there are no samples')
  const sorted = [...samples].sort((a, b) => a - b)
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    p50: quantileOf(sorted, 0.5),
    p99: quantileOf(sorted, 0.99),
    max: quantileOf(sorted, 1),
  }
}

/** The value below which this part of the samples lies, between neighbours where it falls between them. */
export function quantileOf(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export const medianOf = (samples: readonly number[]): number => spreadOf(samples).p50
