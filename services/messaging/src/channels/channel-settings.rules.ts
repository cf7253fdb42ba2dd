import {
  AppError,
  badRequest,
  invalidVariable,
  type RealmPermission,
  type RealmProjection,
  Role,
  systemGroupIds,
} from '@tms/contracts'

/** Settings in a subscribe request for the channels that it creates. */
export interface RequestedSettings {
  readonly invite_only?: boolean | undefined
  readonly is_web_public?: boolean | undefined
  readonly is_default_stream?: boolean | undefined
  readonly history_public_to_subscribers?: boolean | undefined
  readonly stream_post_policy?: number | undefined
  readonly message_retention_days?: number | string | undefined
  readonly can_remove_subscribers_group?: number | undefined
}

/** The settings of a new channel. */
export interface ChannelSettings {
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly isDefault: boolean
  readonly historyPublicToSubscribers: boolean
  readonly streamPostPolicy: number
  /** Null: the retention of the organization; -1: forever. */
  readonly messageRetentionDays: number | null
  readonly canRemoveSubscribersGroup: number
}

/** Groups that may be allowed to remove subscribers: not "nobody", "owners" or "everyone on the internet". */
const REMOVER_GROUPS: ReadonlySet<number> = new Set([
  systemGroupIds['role:administrators'],
  systemGroupIds['role:moderators'],
  systemGroupIds['role:fullmembers'],
  systemGroupIds['role:members'],
  systemGroupIds['role:everyone'],
])

/** Fills in defaults and rejects contradictory settings. Throws BAD_REQUEST, REQUEST_VARIABLE_INVALID. */
export function parseChannelSettings(requested: RequestedSettings): ChannelSettings {
  const inviteOnly = requested.invite_only ?? false
  const isWebPublic = requested.is_web_public ?? false
  const isDefault = requested.is_default_stream ?? false
  const historyPublicToSubscribers = requested.history_public_to_subscribers ?? !inviteOnly
  const canRemoveSubscribersGroup =
    requested.can_remove_subscribers_group ?? systemGroupIds['role:administrators']

  if (inviteOnly && isWebPublic) throw badRequest('A channel cannot be both private and web-public.')
  if (!inviteOnly && !historyPublicToSubscribers) {
    throw badRequest('Only private channels can have protected history.')
  }
  if (inviteOnly && isDefault) throw badRequest('A default channel cannot be private.')
  if (!REMOVER_GROUPS.has(canRemoveSubscribersGroup)) {
    throw badRequest('Invalid user group for can_remove_subscribers_group.')
  }
  return {
    inviteOnly,
    isWebPublic,
    isDefault,
    historyPublicToSubscribers,
    streamPostPolicy: requested.stream_post_policy ?? 1,
    messageRetentionDays: parseRetention(requested.message_retention_days ?? 'realm_default'),
    canRemoveSubscribersGroup,
  }
}

/** The largest value of the column. */
const MAX_RETENTION_DAYS = 2_147_483_647

function parseRetention(value: number | string): number | null {
  if (value === 'realm_default') return null
  if (value === 'unlimited') return -1
  if (typeof value === 'number' && value > 0 && value <= MAX_RETENTION_DAYS) return value
  throw invalidVariable('message_retention_days', value)
}

/** The permission that creating such a channel needs. */
export function creationPermissionOf({
  isWebPublic,
  inviteOnly,
}: Pick<ChannelSettings, 'isWebPublic' | 'inviteOnly'>): RealmPermission {
  if (isWebPublic) return 'can_create_web_public_channel_group'
  return inviteOnly ? 'can_create_private_channel_group' : 'can_create_public_channel_group'
}

/**
 * Throws BAD_REQUEST unless the user may create such a channel, and UNAUTHORIZED_PRINCIPAL for settings reserved
 * to owners. `isPermitted`: whether the user has the permission to create it.
 */
export function checkMayCreate(
  creator: { readonly role: number; readonly isPermitted: boolean },
  settings: ChannelSettings,
  realm: Pick<RealmProjection, 'enable_spectator_access'>,
): void {
  if (settings.isDefault && creator.role > Role.administrator) throw badRequest('Insufficient permission')
  if (!creator.isPermitted) throw badRequest('Insufficient permission')
  if (settings.isWebPublic && !realm.enable_spectator_access) {
    throw badRequest('Web-public channels are not enabled.')
  }
  if (settings.messageRetentionDays !== null && creator.role > Role.owner) {
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
  }
}
