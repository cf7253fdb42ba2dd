import {
  AppError,
  badRequest,
  type EndpointInput,
  type endpoints,
  invalidVariable,
  messageTimeLimits,
  plainRealmSettings,
  type RealmGroupSetting,
  Role,
  realmGroupSettings,
  realmLimits,
  type SystemGroupName,
  systemGroupIds,
} from '@tms/contracts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'
import { policyOfGroup } from './group-of-policy.ts'
import { checkRealmName } from './new-realm.rules.ts'
import type { RealmSettings } from './stored-settings.ts'

export type SettingInput = EndpointInput<typeof endpoints.realm.updateRealm>
type Wanted = { -readonly [K in keyof RealmSettings]?: RealmSettings[K] }

/** Days and seconds are kept in 32 bits. */
const MAX_NUMBER = 2 ** 31 - 1
/** Anything that could name a language in a code block. */
const CODE_LANGUAGE = /^[\p{L}\p{N}_+.,/#-]{0,40}$/u
const UNLIMITED = 'unlimited'
/** The only way to sign in that there is. */
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

/** Throws UNAUTHORIZED_PRINCIPAL when someone else than an owner sends what is for owners. */
export function checkMayChange(input: SettingInput, role: number): void {
  if (role > Role.owner && OWNERS_ONLY.some((name) => input[name] !== undefined))
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/**
 * The settings that a request asks for, as they are kept. Throws BAD_REQUEST, REQUEST_CONFUSING_VAR, or
 * REQUEST_VARIABLE_INVALID for a number that isn't one.
 */
export function readWantedSettings(input: SettingInput): Wanted {
  if (input.string_id !== undefined) throw badRequest('Only a demo organization can change its address')
  if (input.authentication_methods) checkAuthenticationMethods(input.authentication_methods)
  const wanted: Record<string, unknown> = { ...readTexts(input), ...readNumbers(input) }
  for (const name of Object.keys(plainRealmSettings) as (keyof typeof plainRealmSettings)[]) {
    if (input[name] !== undefined) wanted[name] = input[name]
  }
  return { ...wanted, ...readGroups(input) }
}

/** The channels that settings name. */
export function channelsOf(wanted: Wanted): number[] {
  return CHANNEL_SETTINGS.map((name) => wanted[name] ?? -1).filter((id) => id >= 0)
}

function readTexts(input: SettingInput): Wanted {
  const { name, description, default_language, default_code_block_language, jitsi_server_url } = input
  const wanted: Wanted = {}
  if (name !== undefined) wanted.name = checkRealmName(name)
  if (description !== undefined) {
    if ([...description].length > realmLimits.maxDescriptionLength)
      throw badRequest(`description is too long (limit: ${realmLimits.maxDescriptionLength} characters)`)
    wanted.description = description
  }
  if (default_language !== undefined) wanted.default_language = default_language
  if (default_code_block_language !== undefined) {
    if (!CODE_LANGUAGE.test(default_code_block_language))
      throw badRequest(`Invalid language '${default_code_block_language}'`)
    wanted.default_code_block_language = default_code_block_language
  }
  if (jitsi_server_url !== undefined)
    wanted.jitsi_server_url = jitsi_server_url === 'default' ? null : checkWebUrl(jitsi_server_url)
  return wanted
}

function checkWebUrl(url: string): string {
  const isShort = [...url].length <= realmLimits.maxUrlLength
  if (!isShort || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw badRequest('jitsi_server_url is not a URL')
  return url
}

function readNumbers(input: SettingInput): Wanted {
  const wanted: Wanted = {}
  for (const name of messageTimeLimits) {
    const value = input[name]
    if (value !== undefined) wanted[name] = value === UNLIMITED ? null : readNumber(name, value, 1)
  }
  const { message_retention_days: days, waiting_period_threshold: threshold } = input
  if (days !== undefined)
    wanted.message_retention_days = days === UNLIMITED ? -1 : readNumber('message_retention_days', days, 1)
  if (threshold !== undefined)
    wanted.waiting_period_threshold = readNumber('waiting_period_threshold', threshold, 0)
  return wanted
}

function readNumber(name: keyof SettingInput, value: number | string, min: number): number {
  if (typeof value === 'number' && value >= min && value <= MAX_NUMBER) return value
  throw invalidVariable(name, value)
}

function readGroups(input: SettingInput): Wanted {
  const wanted: Wanted = {}
  const inviters = groupSent(input, 'create_multiuse_invite_group')
  const seers = groupSent(input, 'can_access_all_users_group')
  const publicCreators = groupSent(input, 'can_create_public_channel_group', 'create_public_stream_policy')
  const privateCreators = groupSent(input, 'can_create_private_channel_group', 'create_private_stream_policy')
  const writers = groupSent(input, 'direct_message_permission_group', 'private_message_policy')
  if (inviters) wanted.create_multiuse_invite_group = inviters
  if (seers) wanted.can_access_all_users_group = seers
  if (publicCreators) wanted.create_public_stream_policy = policyOfGroup(publicCreators)
  if (privateCreators) wanted.create_private_stream_policy = policyOfGroup(privateCreators)
  if (writers) wanted.private_message_policy = writers === 'role:everyone' ? 1 : 2
  return wanted
}

/** The group that a setting names; `policy` is the same setting by another name. */
function groupSent(
  input: SettingInput,
  setting: RealmGroupSetting,
  policy?: keyof SettingInput,
): SystemGroupName | undefined {
  const id = input[setting]
  if (id === undefined) return undefined
  if (policy !== undefined && input[policy] !== undefined) {
    throw new AppError('REQUEST_CONFUSING_VAR', {
      message: `Can't decide between '${setting}' and '${policy}' arguments`,
      details: { var_name1: setting, var_name2: policy },
    })
  }
  return realmGroupSettings[setting].find((name) => systemGroupIds[name] === id)
}

/** There is one way to sign in, so all that can be asked for is that it stays so. */
function checkAuthenticationMethods(methods: Readonly<Record<string, boolean>>): void {
  const isOn = ([name, value]: [string, boolean]) => name !== PASSWORD && value
  if (Object.entries(methods).some(isOn)) throw badRequest('Invalid authentication method')
  if (methods[PASSWORD] === false) throw badRequest('At least one authentication method must be enabled.')
}
