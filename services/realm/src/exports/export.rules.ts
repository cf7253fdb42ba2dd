import { AppError, badRequest, type ExportScope } from '@tms/contracts'
import type { RealmExport } from './export.queries.ts'

const WEEK_MS = 7 * 86_400_000

/** Throws if one of an organization's exports is running, or so many were made within a week. Failed ones don't count. */
export function checkMayStart(
  existing: readonly Pick<RealmExport, 'createdAt' | 'finishedAt' | 'failedAt'>[],
  now: Date,
  maxPerWeek: number,
): void {
  const made = existing.filter(({ failedAt }) => failedAt === null)
  if (made.some(({ finishedAt }) => finishedAt === null))
    throw badRequest('An export of the organization is running already; wait for its end')
  const recent = made.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < WEEK_MS)
  if (recent.length >= maxPerWeek)
    throw badRequest(`An organization can be exported ${maxPerWeek} times within 7 days`)
}

/** Throws UNAUTHORIZED_PRINCIPAL for a full export that the role doesn't allow. */
export function checkMayAccess(
  scope: string,
  role: number,
  fullExportRole: number,
): asserts scope is ExportScope {
  if (scope !== 'full' || role <= fullExportRole) return
  const message =
    fullExportRole === 0
      ? 'Full exports are made by who runs the installation alone'
      : 'Must be an organization owner for a full export'
  throw new AppError('UNAUTHORIZED_PRINCIPAL', { message })
}
