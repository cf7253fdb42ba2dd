import {
  AppError,
  auditRetentionDays,
  badRequest,
  type EndpointInput,
  type endpoints,
  historyVisibilityFor,
  invalidVariable,
  messageTimeLimits,
  plainRealmSettings,
  Role,
  realmLimits,
  showsEdits,
} from '@tms/contracts'
import { VideoCallProvider } from '../calls/call-providers.ts'
import type { RealmSettings } from '../kernel/realms/stored-settings.ts'
import { CHANNEL_SETTINGS, PRIVATE_CHANNEL_SETTINGS } from './channel-setting.rules.ts'
import { checkRealmName } from './new-realm.rules.ts'
import { namesPermissionForOwners, type PermissionInput } from './permission-input.rules.ts'

export type SettingInput = EndpointInput<typeof endpoints.realm.updateRealm>
type RequestedSettings = {
  -readonly [K in Exclude<keyof RealmSettings, keyof PermissionInput>]?: RealmSettings[K]
}

/** Days and seconds are stored in 32 bits. */
const MAX_NUMBER = 2 ** 31 - 1
/** Anything that could name a language in a code block. */
const CODE_LANGUAGE = /^[\p{L}\p{N}_+.,/#-]{0,40}$/u
const UNLIMITED = 'unlimited'

/** Settings beside permissions that only owners may send, changed or not. */
const OWNERS_ONLY = [
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'waiting_period_threshold',
  'message_retention_days',
  'audit_log_retention_days',
  'authentication_methods',
  'string_id',
] as const satisfies readonly (keyof SettingInput)[]

/** Throws UNAUTHORIZED_PRINCIPAL if somebody else than an owner sends one of these. */
export function checkMayChange(input: SettingInput, role: number): void {
  const isChangedByOwnersOnly =
    OWNERS_ONLY.some((name) => input[name] !== undefined) || namesPermissionForOwners(input)
  if (role > Role.owner && isChangedByOwnersOnly)
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/** What the installation decides about settings. */
interface Installation {
  readonly hasBigBlueButton: boolean
  readonly minAuditRetentionDays: number
}

/**
 * The settings of a request but its permissions and authentication methods, as they are stored. Throws BAD_REQUEST, REQUEST_CONFUSING_VAR, or
 * REQUEST_VARIABLE_INVALID for a number that isn't one.
 */
export function readRequestedSettings(
  input: SettingInput,
  { hasBigBlueButton, minAuditRetentionDays }: Installation,
): RequestedSettings {
  if (input.video_chat_provider === VideoCallProvider.bigBlueButton && !hasBigBlueButton)
    throw badRequest('This installation has no BigBlueButton')
  if (input.string_id !== undefined) throw badRequest('Only a demo organization can change its address')
  const requested: Record<string, unknown> = {
    ...readTexts(input),
    ...readNumbers(input),
    ...readAuditRetention(input, minAuditRetentionDays),
  }
  for (const name of Object.keys(plainRealmSettings) as (keyof typeof plainRealmSettings)[]) {
    if (input[name] !== undefined) requested[name] = input[name]
  }
  return { ...requested, ...readHistoryVisibility(input) }
}

/** The channels in the settings. */
export function channelsOf(requested: RequestedSettings): number[] {
  return CHANNEL_SETTINGS.map((name) => requested[name] ?? -1).filter((id) => id >= 0)
}

/** Throws BAD_REQUEST if a setting for a private channel names another one. */
export function checkPrivateChannels(
  requested: RequestedSettings,
  channels: readonly { readonly stream_id: number; readonly invite_only?: boolean | undefined }[],
): void {
  for (const name of PRIVATE_CHANNEL_SETTINGS) {
    const channel = channels.find(({ stream_id }) => stream_id === requested[name])
    if (channel?.invite_only === false) throw badRequest(`${name} must be a private channel`)
  }
}

function readTexts(input: SettingInput): RequestedSettings {
  const { name, description, default_language, default_code_block_language, jitsi_server_url } = input
  const requested: RequestedSettings = {}
  if (name !== undefined) requested.name = checkRealmName(name)
  if (description !== undefined) {
    if ([...description].length > realmLimits.maxDescriptionLength)
      throw badRequest(`description is too long (limit: ${realmLimits.maxDescriptionLength} characters)`)
    requested.description = description
  }
  if (default_language !== undefined) requested.default_language = default_language
  if (default_code_block_language !== undefined) {
    if (!CODE_LANGUAGE.test(default_code_block_language))
      throw badRequest(`Invalid language '${default_code_block_language}'`)
    requested.default_code_block_language = default_code_block_language
  }
  if (jitsi_server_url !== undefined)
    requested.jitsi_server_url = jitsi_server_url === 'default' ? null : checkWebUrl(jitsi_server_url)
  return requested
}

function checkWebUrl(url: string): string {
  const isShort = [...url].length <= realmLimits.maxUrlLength
  if (!isShort || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw badRequest('jitsi_server_url is not a URL')
  return url
}

/** Which edits are shown, and the setting that older clients read instead: each is derived from the other. */
function readHistoryVisibility(input: SettingInput): RequestedSettings {
  const { allow_edit_history, message_edit_history_visibility_policy: policy } = input
  if (policy === undefined) {
    if (allow_edit_history === undefined) return {}
    return {
      allow_edit_history,
      message_edit_history_visibility_policy: historyVisibilityFor(allow_edit_history),
    }
  }
  if (allow_edit_history !== undefined)
    throw confusingError('message_edit_history_visibility_policy', 'allow_edit_history')
  return { allow_edit_history: showsEdits(policy), message_edit_history_visibility_policy: policy }
}

/** The requested settings, but for `allow_edit_history` that a client sends back as it got it: that changes nothing. */
export function withoutRepeatedHistory(
  requested: RequestedSettings,
  { allow_edit_history }: SettingInput,
  present: Pick<RealmSettings, 'message_edit_history_visibility_policy'>,
): RequestedSettings {
  if (allow_edit_history !== showsEdits(present.message_edit_history_visibility_policy)) return requested
  const { allow_edit_history: _, message_edit_history_visibility_policy: __, ...others } = requested
  return others
}

function confusingError(name: keyof SettingInput, olderName: keyof SettingInput): AppError {
  return new AppError('REQUEST_CONFUSING_VAR', {
    message: `Can't decide between '${name}' and '${olderName}' arguments`,
    details: { var_name1: name, var_name2: olderName },
  })
}

function readNumbers(input: SettingInput): RequestedSettings {
  const requested: RequestedSettings = {}
  for (const name of messageTimeLimits) {
    const value = input[name]
    if (value !== undefined) requested[name] = value === UNLIMITED ? null : readNumber(name, value, 1)
  }
  const { message_retention_days: days, waiting_period_threshold: threshold } = input
  if (days !== undefined)
    requested.message_retention_days = days === UNLIMITED ? -1 : readNumber('message_retention_days', days, 1)
  if (threshold !== undefined)
    requested.waiting_period_threshold = readNumber('waiting_period_threshold', threshold, 0)
  return requested
}

function readAuditRetention(
  { audit_log_retention_days: days }: SettingInput,
  min: number,
): RequestedSettings {
  if (days === undefined) return {}
  if (days === UNLIMITED) return { audit_log_retention_days: -1 }
  const { max } = auditRetentionDays
  if (typeof days !== 'number') throw invalidVariable('audit_log_retention_days', days)
  if (days < min || days > max)
    throw badRequest(`audit_log_retention_days must be between ${min} and ${max}, or ${UNLIMITED}`)
  return { audit_log_retention_days: days }
}

function readNumber(name: keyof SettingInput, value: number | string, min: number): number {
  if (typeof value === 'number' && value >= min && value <= MAX_NUMBER) return value
  throw invalidVariable(name, value)
}
