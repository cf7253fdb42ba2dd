import {
  AppError,
  badRequest,
  type ChannelPermission,
  type ChannelPermissionValues,
  type ChannelRecord,
  changedGroupSetting,
  channelPermissionNames,
  channelPermissions,
  type GroupSettingChange,
  groupOfPostPolicy,
  isSameGroupSetting,
  PostPolicy,
  type RealmProjection,
  Role,
} from '@tms/contracts'
import { grantingPermissions } from '../kernel/grantees/grantees.rules.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { type ChannelSettings, parseChannelSettings, twoNamesError } from './channel-settings.rules.ts'
import { parseChannelDescription, parseChannelName } from './channel-text.rules.ts'

/** The changes in a request. */
export type RequestedUpdate = {
  readonly new_name?: string | undefined
  readonly description?: string | undefined
  readonly is_private?: boolean | undefined
  readonly is_web_public?: boolean | undefined
  readonly history_public_to_subscribers?: boolean | undefined
  readonly is_default_stream?: boolean | undefined
  readonly stream_post_policy?: number | undefined
  readonly is_announcement_only?: boolean | undefined
  readonly message_retention_days?: number | string | undefined
} & { readonly [Name in ChannelPermission]?: GroupSettingChange | undefined }

/** Everything of a channel that an administrator may change. */
export interface EditableChannel extends ChannelSettings {
  readonly name: string
  readonly description: string
}

export type CurrentChannel = ChannelRecord & { readonly is_default: boolean }

/** Defaults, which may be the creator of the channel, aren't needed: an update has all its permissions. */
const NO_CREATOR = 0

/**
 * Applies an update. Settings that the request doesn't name stay, except that `is_private` decides whether the
 * history is shared unless the request says so. Throws BAD_REQUEST for contradictory settings, and
 * REQUEST_VARIABLE_INVALID for an invalid retention, and the errors of `changedGroupSetting`. `stored` are the
 * permissions with deactivated users, which `current` doesn't show.
 */
export function applyUpdate(
  current: CurrentChannel,
  requested: RequestedUpdate,
  stored: ChannelPermissionValues = current,
): EditableChannel {
  const { is_private, is_web_public, history_public_to_subscribers, is_default_stream } = requested
  const name = requested.new_name === undefined ? current.name : parseNewName(current, requested.new_name)
  const settings = parseChannelSettings(
    {
      invite_only: is_private ?? current.invite_only,
      is_web_public: is_web_public ?? (current.is_web_public && is_private !== true),
      is_default_stream: is_default_stream ?? current.is_default,
      history_public_to_subscribers:
        history_public_to_subscribers ??
        (is_private === undefined ? current.history_public_to_subscribers : !is_private),
      message_retention_days: requested.message_retention_days,
      ...updatePermissions(current, requested, stored),
    },
    NO_CREATOR,
  )
  return {
    ...settings,
    name,
    description:
      requested.description === undefined
        ? current.description
        : parseChannelDescription(requested.description),
    messageRetentionDays:
      requested.message_retention_days === undefined
        ? current.message_retention_days
        : settings.messageRetentionDays,
  }
}

function parseNewName(current: ChannelRecord, raw: string): string {
  const name = parseChannelName(raw)
  if (name === current.name) throw badRequest('Channel already has that name.')
  return name
}

function updatePermissions(
  current: ChannelRecord,
  requested: RequestedUpdate,
  stored: ChannelPermissionValues,
): ChannelPermissionValues {
  const postPolicy = requested.stream_post_policy ?? legacyPolicy(requested)
  if (postPolicy !== undefined && requested.can_send_message_group !== undefined) throw twoNamesError()
  // What a client sends back as it got it changes nothing: several permissions are shown as the same policy.
  const isRepeated =
    requested.stream_post_policy === undefined
      ? requested.is_announcement_only === current.is_announcement_only
      : requested.stream_post_policy === current.stream_post_policy
  const posters = postPolicy === undefined || isRepeated ? undefined : groupOfPostPolicy(postPolicy)
  const values = channelPermissionNames.map((name) => {
    const change = (name === 'can_send_message_group' ? posters : undefined) ?? requested[name]
    const changed =
      change === undefined
        ? undefined
        : changedGroupSetting(name, channelPermissions[name], change, stored[name], current[name])
    return [name, changed ?? stored[name]] as const
  })
  return Object.fromEntries(values) as ChannelPermissionValues
}

function legacyPolicy({ is_announcement_only }: RequestedUpdate): number | undefined {
  if (is_announcement_only === undefined) return undefined
  return is_announcement_only ? PostPolicy.administrators : PostPolicy.everyone
}

/** Whether a name is new, rather than another spelling of the current one. */
export function isNewName(current: ChannelRecord, name: string): boolean {
  return caseKey(current.name) !== caseKey(name)
}

/**
 * Throws BAD_REQUEST unless this administrator, of the organization or the channel, may make the update, and
 * UNAUTHORIZED_PRINCIPAL for changes reserved to administrators or owners of the organization.
 */
export function checkMayUpdate(
  administrator: {
    readonly role: number
    /** Whether this administrator may read the channel. */
    readonly mayRead: boolean
    readonly mayCreateWebPublic: boolean
  },
  current: CurrentChannel,
  requested: RequestedUpdate,
  realm: Pick<RealmProjection, 'enable_spectator_access' | 'moderation_request_channel_id'>,
): void {
  // Otherwise an administrator could open any private channel, or its history, or let somebody in.
  const opens =
    requested.is_private !== undefined ||
    requested.history_public_to_subscribers !== undefined ||
    requested.can_add_subscribers_group !== undefined ||
    requested.can_subscribe_group !== undefined
  if (opens && current.invite_only && !administrator.mayRead) {
    throw badRequest('Invalid channel ID')
  }
  const becomesPublic = current.invite_only && requested.is_private === false
  if (becomesPublic && current.stream_id === realm.moderation_request_channel_id) {
    throw badRequest('Moderation request channel must be private.')
  }
  if (requested.is_web_public && !current.is_web_public) {
    if (!realm.enable_spectator_access) throw badRequest('Web-public channels are not enabled.')
    if (!administrator.mayCreateWebPublic) throw badRequest('Insufficient permission')
  }
  if (requested.is_default_stream !== undefined && administrator.role > Role.administrator)
    throw new AppError('UNAUTHORIZED_PRINCIPAL')
  if (requested.message_retention_days !== undefined && administrator.role > Role.owner) {
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
  }
}

/** Of an archived channel, only these are changed. */
const PRIVACY: readonly string[] = ['is_private', 'is_web_public', 'history_public_to_subscribers']

/** Throws BAD_REQUEST for changes that an archived channel doesn't take, and if there are none. */
export function checkArchivedUpdate({
  stream_id: _,
  ...requested
}: RequestedUpdate & { stream_id: number }): void {
  const named = Object.entries(requested).filter(([, value]) => value !== undefined)
  if (named.length === 0 || named.some(([name]) => !PRIVACY.includes(name)))
    throw badRequest('Invalid channel ID')
}

/** Whether an update changes who may see a channel. */
function changesVisibility(before: ChannelRecord, updated: EditableChannel): boolean {
  return before.invite_only !== updated.inviteOnly || before.is_web_public !== updated.isWebPublic
}

/**
 * Whether an update may change who sees a channel, or who reads it: by its kind or by a permission. `stored` are the permissions
 * before it, with deactivated users.
 */
export function mayChangeViewers(
  before: ChannelRecord,
  stored: ChannelPermissionValues,
  updated: EditableChannel,
): boolean {
  return (
    changesVisibility(before, updated) ||
    (updated.inviteOnly &&
      grantingPermissions.some((name) => !isSameGroupSetting(stored[name], updated.permissions[name])))
  )
}

/** Whether more users see a channel after an update. */
export function widensVisibility(before: ChannelRecord, channel: ChannelRecord): boolean {
  return (before.invite_only && !channel.invite_only) || (!before.is_web_public && channel.is_web_public)
}
