/** Collects the values of a statement that is composed of fixed fragments. */
export interface Parameters {
  readonly values: readonly unknown[]
  /** Adds a value and returns its placeholder. */
  readonly add: (value: unknown, type: 'bigint' | 'bigint[]' | 'text' | 'tsquery') => string
}

export function createParameters(): Parameters {
  const values: unknown[] = []
  return { values, add: (value, type) => `$${values.push(value)}::${type}` }
}
