import {
  AppError,
  badRequest,
  type ChannelRecord,
  type PolicySubject,
  policyAllows,
  type RealmProjection,
  Role,
} from '@tms/contracts'
import { caseKey } from '../case-key.ts'
import { PostPolicy } from './channel.rules.ts'
import { type ChannelSettings, parseChannelSettings } from './channel-settings.rules.ts'
import { parseChannelDescription, parseChannelName } from './channel-text.rules.ts'

/** What an administrator may ask to change. */
export interface RequestedUpdate {
  readonly new_name?: string | undefined
  readonly description?: string | undefined
  readonly is_private?: boolean | undefined
  readonly is_web_public?: boolean | undefined
  readonly history_public_to_subscribers?: boolean | undefined
  readonly is_default_stream?: boolean | undefined
  readonly stream_post_policy?: number | undefined
  readonly is_announcement_only?: boolean | undefined
  readonly message_retention_days?: number | string | undefined
  readonly can_remove_subscribers_group?: number | undefined
}

/** Everything of a channel that an administrator may change. */
export interface EditableChannel extends ChannelSettings {
  readonly name: string
  readonly description: string
}

/** A channel with its settings as they are. */
export type PresentChannel = ChannelRecord & { readonly is_default: boolean }

/**
 * What a channel is after an update; what the request doesn't speak of stays, but that `is_private` settles who
 * reads the history unless the request does. Throws BAD_REQUEST for what contradicts itself, and
 * REQUEST_VARIABLE_INVALID for a retention that makes no sense.
 */
export function applyUpdate(present: PresentChannel, requested: RequestedUpdate): EditableChannel {
  const { is_private, is_web_public, history_public_to_subscribers, is_default_stream } = requested
  const name = requested.new_name === undefined ? present.name : parseNewName(present, requested.new_name)
  const settings = parseChannelSettings({
    invite_only: is_private ?? present.invite_only,
    is_web_public: is_web_public ?? (present.is_web_public && is_private !== true),
    is_default_stream: is_default_stream ?? present.is_default,
    history_public_to_subscribers:
      history_public_to_subscribers ??
      (is_private === undefined ? present.history_public_to_subscribers : !is_private),
    stream_post_policy: requested.stream_post_policy ?? legacyPolicy(requested) ?? present.stream_post_policy,
    message_retention_days: requested.message_retention_days,
    can_remove_subscribers_group:
      requested.can_remove_subscribers_group ?? present.can_remove_subscribers_group,
  })
  return {
    ...settings,
    name,
    description:
      requested.description === undefined
        ? present.description
        : parseChannelDescription(requested.description),
    messageRetentionDays:
      requested.message_retention_days === undefined
        ? present.message_retention_days
        : settings.messageRetentionDays,
  }
}

function parseNewName(present: ChannelRecord, raw: string): string {
  const name = parseChannelName(raw)
  if (name === present.name) throw badRequest('Channel already has that name.')
  return name
}

function legacyPolicy({ is_announcement_only }: RequestedUpdate): number | undefined {
  if (is_announcement_only === undefined) return undefined
  return is_announcement_only ? PostPolicy.administrators : PostPolicy.everyone
}

/** Whether a name is taken anew, rather than spelt differently. */
export function isNewName(present: ChannelRecord, name: string): boolean {
  return caseKey(present.name) !== caseKey(name)
}

/**
 * Refuses an update that this administrator may not make. Throws BAD_REQUEST, or UNAUTHORIZED_PRINCIPAL for what is
 * reserved to owners.
 */
export function checkMayUpdate(
  administrator: PolicySubject & { readonly isSubscribed: boolean },
  present: PresentChannel,
  requested: RequestedUpdate,
  realm: Pick<RealmProjection, 'create_web_public_stream_policy' | 'enable_spectator_access'>,
): void {
  // Else an administrator could read any private channel by opening it.
  if (requested.is_private !== undefined && present.invite_only && !administrator.isSubscribed) {
    throw badRequest('Invalid channel ID')
  }
  if (requested.is_web_public && !present.is_web_public) {
    if (!realm.enable_spectator_access) throw badRequest('Web-public channels are not enabled.')
    if (!policyAllows(realm.create_web_public_stream_policy, administrator)) {
      throw badRequest('Insufficient permission')
    }
  }
  if (requested.message_retention_days !== undefined && administrator.role > Role.owner) {
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
  }
}

/** Whether a change lets others know of a channel than before. */
export function isOpenOtherwise(before: ChannelRecord, wanted: EditableChannel): boolean {
  return before.invite_only !== wanted.inviteOnly || before.is_web_public !== wanted.isWebPublic
}

/** Whether more people see a channel after a change than before. */
export function isSeenByMore(before: ChannelRecord, channel: ChannelRecord): boolean {
  return (before.invite_only && !channel.invite_only) || (!before.is_web_public && channel.is_web_public)
}
