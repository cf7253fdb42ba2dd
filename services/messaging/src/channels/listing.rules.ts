import { canAccessPublicChannels, canAccessUnsubscribed, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { VisibleChannel } from '../kernel/channels/visible-channel.queries.ts'

/** Filters of `GET /streams`; each adds channels to those of the others. */
export interface ListingFilters {
  readonly include_public?: boolean | undefined
  readonly include_web_public?: boolean | undefined
  readonly include_subscribed?: boolean | undefined
  readonly include_all?: boolean | undefined
  readonly include_all_active?: boolean | undefined
  readonly include_can_access_content?: boolean | undefined
}

/** Whether the filters include a channel that the caller sees. */
export function isListed(
  { record, isReader, subscription }: Pick<VisibleChannel, 'record' | 'isReader' | 'subscription'>,
  { role }: Pick<Caller, 'role'>,
  filters: ListingFilters,
): boolean {
  if (filters.include_all || filters.include_all_active) return true
  const isSubscribed = subscription?.isActive ?? false
  const canAccess = isSubscribed || canAccessUnsubscribed(role, record) || (isReader && role <= Role.member)
  if (filters.include_can_access_content && canAccess) return true
  if (filters.include_web_public && record.is_web_public) return true
  if ((filters.include_subscribed ?? true) && isSubscribed) return true
  return (filters.include_public ?? true) && !record.invite_only && canAccessPublicChannels(role)
}

type HasRecord = Pick<VisibleChannel, 'record'>

/** Adds the channels of the owner of a bot to a list, without duplicates, by name. */
export function withOwnerChannels<T extends HasRecord>(listed: readonly T[], owners: readonly T[]): T[] {
  const known = new Set(listed.map(({ record }) => record.stream_id))
  const missing = owners.filter(({ record }) => !known.has(record.stream_id))
  if (missing.length === 0) return [...listed]
  return [...listed, ...missing].sort((a, b) => (a.record.name < b.record.name ? -1 : 1))
}
