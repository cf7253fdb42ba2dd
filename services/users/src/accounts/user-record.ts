import {
  canSeeDeliveryEmail,
  type RealmProjection,
  Role,
  type UserRecord,
  type UserWithActivity,
} from '@tms/contracts'
import { type CurrentFields, currentFieldsOf } from '../profiles/current-fields.ts'
import type { Person } from './account.queries.ts'
import { avatarUrlOf, isClientGravatar } from './avatar.ts'

/** For whom a record is made, and in which form. */
export interface View {
  readonly viewer: { readonly userId: number; readonly role: number }
  /** Leaves `avatar_url` null where the client computes it. */
  readonly clientGravatar: boolean
  /** Null leaves out what people have filled into them. */
  readonly profileFields: CurrentFields | null
}

/** What is taken of a person to show them; their own choices, which nobody else sees, are left out. */
export type ShownPerson = Omit<Person, 'settings' | 'alertWords' | 'mutedUsers' | 'version'>

/** The view that the parameters of the endpoints about users ask for. */
export function viewFor(
  viewer: View['viewer'],
  asked: {
    client_gravatar?: boolean | undefined
    include_custom_profile_fields?: boolean | undefined
  },
  { custom_profile_fields }: Pick<RealmProjection, 'custom_profile_fields'>,
): View {
  return {
    viewer,
    clientGravatar: asked.client_gravatar ?? true,
    profileFields: asked.include_custom_profile_fields ? currentFieldsOf(custom_profile_fields) : null,
  }
}

/**
 * A person as the viewer sees them. Runs once per user of an organization, so it builds one plain object and no more.
 */
export function toUserRecord(
  person: ShownPerson,
  { viewer, clientGravatar, profileFields }: View,
): UserRecord {
  const record: UserRecord = {
    user_id: person.id,
    email: person.email,
    delivery_email: canSeeDeliveryEmail(viewer, person) ? person.deliveryEmail : null,
    full_name: person.fullName,
    role: person.role,
    is_owner: person.role === Role.owner,
    is_admin: person.role <= Role.administrator,
    is_guest: person.role === Role.guest,
    is_billing_admin: false,
    is_bot: person.isBot,
    bot_type: person.isBot ? person.botType : null,
    timezone: person.timezone,
    date_joined: toIsoDate(person.dateJoined),
    avatar_url: clientGravatar && isClientGravatar(person) ? null : avatarUrlOf(person),
    avatar_version: person.avatarVersion,
  }
  if (person.isSystemBot) record.is_system_bot = true
  if (person.isBot) record.bot_owner_id = person.botOwnerId
  else if (profileFields) record.profile_data = profileFields.valuesOf(person)
  return record
}

/** The same with `is_active`, as lists and events carry it. */
export function toUserWithActivity(person: ShownPerson, view: View): UserWithActivity {
  const record = toUserRecord(person, view) as UserWithActivity
  record.is_active = person.isActive
  return record
}

/** ISO 8601 in UTC with offset; microseconds if there are any (the database keeps milliseconds). */
export function toIsoDate(date: Date): string {
  const text = date.toISOString()
  const [seconds, milliseconds] = [text.slice(0, 19), text.slice(20, 23)]
  return milliseconds === '000' ? `${seconds}+00:00` : `${seconds}.${milliseconds}000+00:00`
}
