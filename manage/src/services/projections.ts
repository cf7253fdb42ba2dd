import { internal, type ProjectionsStatus, type ReplayStatus } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'

/** The services that maintain projections of other services' data. */
export const projectionServices = ['users', 'messaging'] as const
export type ProjectionService = (typeof projectionServices)[number]

export const getProjectionsStatus = (
  call: InternalClient,
  projectionService: ProjectionService,
): Promise<ProjectionsStatus> => call(internal[projectionService].describeProjections, {})

/** The progress of a replay, as text. */
export function formatReplay({
  next_offset,
  end_offset,
  checked,
  repaired,
  finished_at,
}: ReplayStatus): string {
  const counts = `${checked} compared, ${repaired} repaired`
  if (finished_at !== null) return `done: ${counts}`
  if (next_offset === null) return `running: ${counts}`
  return `at entry ${Math.min(next_offset, end_offset)} of ${end_offset}: ${counts}`
}
