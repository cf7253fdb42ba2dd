import { Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { VisibleChannel } from './visible-channel.queries.ts'

/** Which channels `GET /streams` lists; each filter adds to the others. */
export interface ListingFilters {
  readonly include_public?: boolean | undefined
  readonly include_web_public?: boolean | undefined
  readonly include_subscribed?: boolean | undefined
  readonly include_all_active?: boolean | undefined
}

/** Whether a channel that the caller sees is among those asked for. */
export function isListed(
  { record, subscription }: Pick<VisibleChannel, 'record' | 'subscription'>,
  { role }: Pick<Caller, 'role'>,
  filters: ListingFilters,
): boolean {
  if (filters.include_all_active) return true
  if (filters.include_web_public && record.is_web_public) return true
  if ((filters.include_subscribed ?? true) && subscription?.isActive) return true
  return (filters.include_public ?? true) && !record.invite_only && role <= Role.member
}
