import { type RealmPermission, type RealmProjection, Role } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'

/** The permissions that `ownKeys` shows. */
export const shownPermissions = [
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_create_web_public_channel_group',
  'can_add_subscribers_group',
  'can_invite_users_group',
] as const satisfies RealmPermission[]
export type ShownPermissions = Readonly<Record<(typeof shownPermissions)[number], boolean>>

/** Keys of the fetch type `realm_user` about the caller, who has these permissions. */
export function ownKeys(
  account: Account,
  realm: Pick<RealmProjection, 'enable_spectator_access'>,
  may: ShownPermissions,
): Record<string, unknown> {
  const { role } = account
  const canCreatePublic = may.can_create_public_channel_group
  const canCreatePrivate = may.can_create_private_channel_group
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
    can_create_web_public_streams: realm.enable_spectator_access && may.can_create_web_public_channel_group,
    can_subscribe_other_users: may.can_add_subscribers_group,
    can_invite_others_to_realm: may.can_invite_users_group,
  }
}
