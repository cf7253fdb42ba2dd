import {
  AppError,
  badRequest,
  type EndpointInput,
  type endpoints,
  groupForPolicy,
  invalidVariable,
  isCustomGroup,
  messageTimeLimits,
  type OpenGroupSetting,
  openGroupSettings,
  plainRealmSettings,
  policiesOfGroups,
  policyForGroup,
  type RealmGroupSetting,
  Role,
  realmGroupSettings,
  realmLimits,
  type SystemGroupName,
  systemGroupIds,
} from '@tms/contracts'
import { VideoCallProvider } from '../calls/call-providers.ts'
import type { RealmSettings } from '../kernel/realms/stored-settings.ts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'
import { checkRealmName } from './new-realm.rules.ts'

export type SettingInput = EndpointInput<typeof endpoints.realm.updateRealm>
type RequestedSettings = { -readonly [K in keyof RealmSettings]?: RealmSettings[K] }

/** Days and seconds are stored in 32 bits. */
const MAX_NUMBER = 2 ** 31 - 1
/** Anything that could name a language in a code block. */
const CODE_LANGUAGE = /^[\p{L}\p{N}_+.,/#-]{0,40}$/u
const UNLIMITED = 'unlimited'
/** The only authentication method. */
const PASSWORD = 'Email'

/** Settings that only owners may send, changed or not. */
const OWNERS_ONLY = [
  'invite_required',
  'invite_to_realm_policy',
  'create_multiuse_invite_group',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'waiting_period_threshold',
  'message_retention_days',
  'authentication_methods',
  'string_id',
] as const satisfies readonly (keyof SettingInput)[]

/** Throws UNAUTHORIZED_PRINCIPAL if somebody else than an owner sends one of these. */
export function checkMayChange(input: SettingInput, role: number): void {
  if (role > Role.owner && OWNERS_ONLY.some((name) => input[name] !== undefined))
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/**
 * The settings of a request, as they are stored. Throws BAD_REQUEST, REQUEST_CONFUSING_VAR, or
 * REQUEST_VARIABLE_INVALID for a number that isn't one.
 */
export function readRequestedSettings(
  input: SettingInput,
  { hasBigBlueButton }: { hasBigBlueButton: boolean },
): RequestedSettings {
  if (input.video_chat_provider === VideoCallProvider.bigBlueButton && !hasBigBlueButton)
    throw badRequest('This installation has no BigBlueButton')
  if (input.string_id !== undefined) throw badRequest('Only a demo organization can change its address')
  if (input.authentication_methods) checkAuthenticationMethods(input.authentication_methods)
  const requested: Record<string, unknown> = { ...readTexts(input), ...readNumbers(input) }
  for (const name of Object.keys(plainRealmSettings) as (keyof typeof plainRealmSettings)[]) {
    if (input[name] !== undefined) requested[name] = input[name]
  }
  return { ...requested, ...readGroups(input) }
}

/** The channels in the settings. */
export function channelsOf(requested: RequestedSettings): number[] {
  return CHANNEL_SETTINGS.map((name) => requested[name] ?? -1).filter((id) => id >= 0)
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

function readNumber(name: keyof SettingInput, value: number | string, min: number): number {
  if (typeof value === 'number' && value >= min && value <= MAX_NUMBER) return value
  throw invalidVariable(name, value)
}

function readGroups(input: SettingInput): RequestedSettings {
  const requested: RequestedSettings = {}
  const inviters = systemGroupOf(requestedGroup(input.create_multiuse_invite_group))
  const viewers = systemGroupOf(requestedGroup(input.can_access_all_users_group))
  if (inviters) requested.create_multiuse_invite_group = inviters
  if (viewers) requested.can_access_all_users_group = viewers
  for (const name of openGroupSettings) Object.assign(requested, readOpenGroup(input, name))
  return requested
}

/** A group and the policy that older clients read instead: each is derived from the other. */
function readOpenGroup(input: SettingInput, name: OpenGroupSetting): RequestedSettings {
  const policyName = policiesOfGroups[name]
  const [group, policy] = [requestedGroup(input[name]), input[policyName]]
  if (group !== undefined && policy !== undefined) {
    throw new AppError('REQUEST_CONFUSING_VAR', {
      message: `Can't decide between '${name}' and '${policyName}' arguments`,
      details: { var_name1: name, var_name2: policyName },
    })
  }
  if (policy !== undefined) return { [policyName]: policy, [name]: groupForPolicy(name, policy) }
  if (group === undefined) return {}
  if (name === 'direct_message_initiator_group') return { [name]: group }
  return { [policyName]: policyForGroup(name, group), [name]: group }
}

type GroupInput = SettingInput[RealmGroupSetting]

const requestedGroup = (sent: GroupInput): number | undefined => (typeof sent === 'object' ? sent.new : sent)

const systemGroupOf = (id: number | undefined): SystemGroupName | undefined =>
  (Object.keys(systemGroupIds) as SystemGroupName[]).find((name) => systemGroupIds[name] === id)

/** The custom groups in a request, which must exist. */
export function customGroupsOf(input: SettingInput): number[] {
  return openGroupSettings
    .map((name) => requestedGroup(input[name]))
    .filter((id): id is number => id !== undefined && isCustomGroup(id))
}

/** Throws BAD_REQUEST if a client assumes another group than the current one. */
export function checkKnownGroups(input: SettingInput, present: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(realmGroupSettings) as RealmGroupSetting[]) {
    const sent = input[name]
    if (typeof sent === 'object' && sent.old !== undefined && sent.old !== present[name])
      throw badRequest(`The current value of '${name}' differs from 'old': fetch it and try again`)
  }
}

/** There is one authentication method, and it can't be disabled. */
function checkAuthenticationMethods(methods: Readonly<Record<string, boolean>>): void {
  const unknown = Object.keys(methods).find((name) => name !== PASSWORD)
  if (unknown !== undefined)
    throw badRequest(`Invalid authentication method: ${unknown}. Valid methods are: ${PASSWORD}`)
  if (!methods[PASSWORD]) throw badRequest('At least one authentication method must be enabled.')
}
