import { internal, type ProjectionsStatus, type ReplayStatus } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'

/** The services that keep facts of others. */
export const keepers = ['users', 'messaging'] as const
export type Keeper = (typeof keepers)[number]

/** How a service stands with what it keeps of others. */
export const describeProjections = (call: InternalClient, keeper: Keeper): Promise<ProjectionsStatus> =>
  call(internal[keeper].describeProjections, {})

/** In words: how far looking again is. */
export function progressOf({ next_offset, end_offset, checked, mended, finished_at }: ReplayStatus): string {
  const counts = `${checked} compared, ${mended} mended`
  if (finished_at !== null) return `done: ${counts}`
  if (next_offset === null) return `at work: ${counts}`
  return `at entry ${Math.min(next_offset, end_offset)} of ${end_offset}: ${counts}`
}
