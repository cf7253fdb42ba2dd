import type { TestSystem } from '@tms/test-kit'
import { metricOf } from './observe.ts'

/** The sum of a metric over the replicas of events. */
export async function sumOfEvents({ system }: TestSystem, name: string): Promise<number> {
  const values = await Promise.all(system.urls.events.map((url) => metricOf(url, name)))
  return values.reduce((sum, value) => sum + value, 0)
}
