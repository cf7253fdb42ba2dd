import {
  AppError,
  badRequest,
  type ChannelPermission,
  type ChannelPermissionValues,
  canonicalGroupSetting,
  channelPermissionNames,
  channelPermissions,
  checkGroupSetting,
  type GroupSettingValue,
  groupOfPostPolicy,
  initialGroupSetting,
  invalidVariable,
  type RealmPermission,
  type RealmProjection,
  Role,
} from '@tms/contracts'

/** Settings in a subscribe request for the channels that it creates. */
export type RequestedSettings = {
  readonly invite_only?: boolean | undefined
  readonly is_web_public?: boolean | undefined
  readonly is_default_stream?: boolean | undefined
  readonly history_public_to_subscribers?: boolean | undefined
  readonly stream_post_policy?: number | undefined
  readonly message_retention_days?: number | string | undefined
} & { readonly [Name in ChannelPermission]?: GroupSettingValue | undefined }

/** The settings of a new channel. */
export interface ChannelSettings {
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  readonly isDefault: boolean
  readonly historyPublicToSubscribers: boolean
  /** Null: the retention of the organization; -1: forever. */
  readonly messageRetentionDays: number | null
  readonly permissions: ChannelPermissionValues
}

/**
 * Fills in the defaults of a channel that `creatorId` creates, and rejects contradictory settings. Throws BAD_REQUEST, REQUEST_VARIABLE_INVALID,
 * SYSTEM_GROUP_REQUIRED.
 */
export function parseChannelSettings(requested: RequestedSettings, creatorId: number): ChannelSettings {
  const inviteOnly = requested.invite_only ?? false
  const isWebPublic = requested.is_web_public ?? false
  const isDefault = requested.is_default_stream ?? false
  const historyPublicToSubscribers = requested.history_public_to_subscribers ?? !inviteOnly

  if (inviteOnly && isWebPublic) throw badRequest('A channel cannot be both private and web-public.')
  if (!inviteOnly && !historyPublicToSubscribers) {
    throw badRequest('Only private channels can have protected history.')
  }
  if (inviteOnly && isDefault) throw badRequest('A default channel cannot be private.')
  return {
    inviteOnly,
    isWebPublic,
    isDefault,
    historyPublicToSubscribers,
    messageRetentionDays: parseRetention(requested.message_retention_days ?? 'realm_default'),
    permissions: parsePermissions(requested, creatorId),
  }
}

/** Canonical values of all permissions. Throws BAD_REQUEST for a value that a permission can't have. */
function parsePermissions(requested: RequestedSettings, creatorId: number): ChannelPermissionValues {
  const { stream_post_policy } = requested
  if (stream_post_policy !== undefined && requested.can_send_message_group !== undefined)
    throw twoNamesError()
  const posters = stream_post_policy === undefined ? undefined : groupOfPostPolicy(stream_post_policy)
  const values = channelPermissionNames.map((name) => {
    const value = (name === 'can_send_message_group' ? posters : undefined) ?? requested[name]
    const canonical = canonicalGroupSetting(value ?? initialGroupSetting(channelPermissions[name], creatorId))
    checkGroupSetting(name, channelPermissions[name], canonical)
    return [name, canonical] as const
  })
  return Object.fromEntries(values) as ChannelPermissionValues
}

/** The error for a request that has both an older name of a permission and the permission itself. */
export const twoNamesError = (): AppError =>
  badRequest("'stream_post_policy' is an older form of 'can_send_message_group': send one of them")

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
