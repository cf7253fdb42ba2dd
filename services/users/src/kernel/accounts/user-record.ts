import {
  canSeeDeliveryEmail,
  type RealmProjection,
  Role,
  type UserRecord,
  type UserWithActivity,
} from '@tms/contracts'
import { type CurrentFields, currentFieldsOf } from '../profiles/current-fields.ts'
import type { Account } from './account.queries.ts'
import { avatarUrlOf, isClientGravatar } from './avatar.ts'
import { profileDataOf } from './json-columns.ts'

/** Who views a record, and in which form. */
export interface View {
  readonly viewer: { readonly userId: number; readonly role: number }
  /** Sets `avatar_url` to null if the client can compute it. */
  readonly clientGravatar: boolean
  /** Null leaves out profile data. */
  readonly profileFields: CurrentFields | null
}

/** An account without its private settings. */
export type UserRecordRow = Omit<Account, 'settings' | 'alertWords' | 'mutedUsers' | 'version'>

/** The view that a request's parameters select. */
export function viewFor(
  viewer: View['viewer'],
  parameters: {
    client_gravatar?: boolean | undefined
    include_custom_profile_fields?: boolean | undefined
  },
  { custom_profile_fields }: Pick<RealmProjection, 'custom_profile_fields'>,
): View {
  return {
    viewer,
    clientGravatar: parameters.client_gravatar ?? true,
    profileFields: parameters.include_custom_profile_fields ? currentFieldsOf(custom_profile_fields) : null,
  }
}

/** A user as the viewer sees it. Runs once per user of an organization, so it builds a single plain object. */
export function toUserRecord(
  account: UserRecordRow,
  { viewer, clientGravatar, profileFields }: View,
): UserRecord {
  const record: UserRecord = {
    user_id: account.id,
    email: account.email,
    delivery_email: canSeeDeliveryEmail(viewer, account) ? account.deliveryEmail : null,
    full_name: account.fullName,
    role: account.role,
    is_owner: account.role === Role.owner,
    is_admin: account.role <= Role.administrator,
    is_guest: account.role === Role.guest,
    is_billing_admin: false,
    is_bot: account.isBot,
    bot_type: account.isBot ? account.botType : null,
    timezone: account.timezone,
    date_joined: toIsoDate(account.dateJoined),
    avatar_url: clientGravatar && isClientGravatar(account) ? null : avatarUrlOf(account),
    avatar_version: account.avatarVersion,
  }
  if (account.isSystemBot) record.is_system_bot = true
  if (account.isBot) record.bot_owner_id = account.botOwnerId
  else if (profileFields) record.profile_data = profileFields.shownValues(profileDataOf(account))
  return record
}

/** The same with `is_active`, for lists and events. */
export function toUserWithActivity(account: UserRecordRow, view: View): UserWithActivity {
  const record = toUserRecord(account, view) as UserWithActivity
  record.is_active = account.isActive
  return record
}

/** ISO 8601 in UTC with offset, and with microseconds unless they are zero (the database stores milliseconds). */
export function toIsoDate(date: Date): string {
  const text = date.toISOString()
  const [seconds, milliseconds] = [text.slice(0, 19), text.slice(20, 23)]
  return milliseconds === '000' ? `${seconds}+00:00` : `${seconds}.${milliseconds}000+00:00`
}
