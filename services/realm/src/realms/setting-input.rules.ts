import {
  AppError,
  badRequest,
  type EndpointInput,
  type endpoints,
  groupInPlaceOf,
  invalidVariable,
  isCustomGroup,
  messageTimeLimits,
  type OpenGroupSetting,
  openGroupSettings,
  plainRealmSettings,
  policiesOfGroups,
  policyInPlaceOf,
  type RealmGroupSetting,
  Role,
  realmGroupSettings,
  realmLimits,
  type SystemGroupName,
  systemGroupIds,
} from '@tms/contracts'
import { VideoCallProvider } from '../calls/call-providers.ts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'
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
export function readWantedSettings(
  input: SettingInput,
  { hasBigBlueButton }: { hasBigBlueButton: boolean },
): Wanted {
  if (input.video_chat_provider === VideoCallProvider.bigBlueButton && !hasBigBlueButton)
    throw badRequest('This installation has no BigBlueButton')
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
  const inviters = systemGroupOf(wantedGroup(input.create_multiuse_invite_group))
  const seers = systemGroupOf(wantedGroup(input.can_access_all_users_group))
  if (inviters) wanted.create_multiuse_invite_group = inviters
  if (seers) wanted.can_access_all_users_group = seers
  for (const name of openGroupSettings) Object.assign(wanted, readOpenGroup(input, name))
  return wanted
}

/** A group and the policy that older clients read in its place: each is set by the other. */
function readOpenGroup(input: SettingInput, name: OpenGroupSetting): Wanted {
  const policyName = policiesOfGroups[name]
  const [group, policy] = [wantedGroup(input[name]), input[policyName]]
  if (group !== undefined && policy !== undefined) {
    throw new AppError('REQUEST_CONFUSING_VAR', {
      message: `Can't decide between '${name}' and '${policyName}' arguments`,
      details: { var_name1: name, var_name2: policyName },
    })
  }
  if (policy !== undefined) return { [policyName]: policy, [name]: groupInPlaceOf(name, policy) }
  if (group === undefined) return {}
  if (name === 'direct_message_initiator_group') return { [name]: group }
  return { [policyName]: policyInPlaceOf(name, group), [name]: group }
}

type SentGroup = SettingInput[RealmGroupSetting]

const wantedGroup = (sent: SentGroup): number | undefined => (typeof sent === 'object' ? sent.new : sent)

const systemGroupOf = (id: number | undefined): SystemGroupName | undefined =>
  (Object.keys(systemGroupIds) as SystemGroupName[]).find((name) => systemGroupIds[name] === id)

/** The groups that people made among those that a request names, which have to be there. */
export function customGroupsOf(input: SettingInput): number[] {
  return openGroupSettings
    .map((name) => wantedGroup(input[name]))
    .filter((id): id is number => id !== undefined && isCustomGroup(id))
}

/** Throws BAD_REQUEST where a client goes by another group than the present one. */
export function checkKnownGroups(input: SettingInput, present: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(realmGroupSettings) as RealmGroupSetting[]) {
    const sent = input[name]
    if (typeof sent === 'object' && sent.old !== undefined && sent.old !== present[name])
      throw badRequest(`The present value of '${name}' is another: look at it and try again`)
  }
}

/** There is one way to sign in, so all that can be asked for is that it stays so. */
function checkAuthenticationMethods(methods: Readonly<Record<string, boolean>>): void {
  const unknown = Object.keys(methods).find((name) => name !== PASSWORD)
  if (unknown !== undefined)
    throw badRequest(`Invalid authentication method: ${unknown}. Valid methods are: ${PASSWORD}`)
  if (!methods[PASSWORD]) throw badRequest('At least one authentication method must be enabled.')
}
