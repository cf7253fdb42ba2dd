import { groupOf, type OpenGroupSetting, type RealmProjection, Role } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { isAllowedByPolicy } from '../kernel/realms/policy.rules.ts'

const CREATION = ['can_create_public_channel_group', 'can_create_private_channel_group'] as const

/** The groups whose members may create channels. */
export const creationGroupsOf = (realm: RealmProjection): number[] =>
  CREATION.map((name) => groupOf(realm, name))

/** Keys of the fetch type `realm_user` about the caller; `groupIds` are the caller's groups. */
export function ownKeys(
  account: Account,
  realm: RealmProjection,
  groupIds: ReadonlySet<number>,
  now: Date,
): Record<string, unknown> {
  const { role } = account
  const may = (policy: number): boolean =>
    isAllowedByPolicy(policy, account, realm.waiting_period_threshold, now)
  const mayCreate = (setting: OpenGroupSetting) =>
    role <= Role.member && groupIds.has(groupOf(realm, setting))
  const canCreatePublic = mayCreate('can_create_public_channel_group')
  const canCreatePrivate = mayCreate('can_create_private_channel_group')
  return {
    user_id: account.id,
    email: account.email,
    delivery_email: account.deliveryEmail,
    full_name: account.fullName,
    avatar_source: account.avatarSource,
    avatar_url: avatarUrlOf(account),
    avatar_url_medium: avatarUrlOf(account, 'medium'),
    is_owner: role === Role.owner,
    is_admin: role <= Role.administrator,
    is_moderator: role === Role.moderator,
    is_guest: role === Role.guest,
    is_billing_admin: false,
    can_create_streams: canCreatePublic || canCreatePrivate,
    can_create_public_streams: canCreatePublic,
    can_create_private_streams: canCreatePrivate,
    can_create_web_public_streams:
      realm.enable_spectator_access && may(realm.create_web_public_stream_policy),
    can_subscribe_other_users: may(realm.invite_to_stream_policy),
    can_invite_others_to_realm: may(realm.invite_to_realm_policy),
  }
}
