/** A summary of samples; in milliseconds if the samples are. */
export interface Spread {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Throws if there are no samples. */
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

/** The value below which this part of the samples lies, interpolated between neighbours. */
export function quantileOf(sorted: readonly number[], part: number): number {
  const index = (sorted.length - 1) * part
  const below = sorted[Math.floor(index)] ?? Number.NaN
  const above = sorted[Math.ceil(index)] ?? Number.NaN
  return below + (above - below) * (index - Math.floor(index))
}

export const medianOf = (samples: readonly number[]): number => spreadOf(samples).p50
