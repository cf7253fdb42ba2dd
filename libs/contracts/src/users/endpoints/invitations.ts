import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, pathId, text } from '../../declarations/parameter.ts'
import { Role } from '../../permissions/role.ts'

/** PostgreSQL's dates support more than this many minutes. */
const MAX_VALIDITY_MINUTES = 2 ** 31 - 1

const invitationParameters = {
  invite_expires_in_minutes: optionalJson(z.int().min(1).max(MAX_VALIDITY_MINUTES).nullable(), {
    description: "null: never expires; absent: the server's setting, 14,400 unless configured.",
  }),
  invite_as: optionalJson(z.literal(Object.values(Role)), {
    description: 'Role of the new account, equal to your own or stricter. Default 400.',
  }),
  include_realm_default_subscriptions: optionalJson(z.boolean(), {
    description: 'Adds the default channels at the time when the user joins. Default false.',
  }),
  group_ids: optionalJson(z.array(z.int()).max(limits.maxListLength), {
    description: 'User groups to add the new user to: those whose members you may add. Default none.',
  }),
}
const channelIds = z.array(z.int().nonnegative()).max(limits.maxListLength)

export const inviteByEmail = endpoint({
  name: 'inviteByEmail',
  owner: 'users',
  method: 'POST',
  path: '/invites',
  auth: 'user',
  summary: 'Send invitations',
  parameters: {
    invitee_emails: text(z.string().max(limits.maxRequestBodyBytes), {
      description: `At most ${limits.maxInvitees} addresses, separated by commas or newlines.`,
    }),
    ...invitationParameters,
    stream_ids: json(channelIds, {
      description:
        'Channels to subscribe the new user to: default ones, and those to which you may subscribe others.',
    }),
    notify_referrer_on_join: optionalJson(z.boolean(), {
      description: 'Whether the notification bot informs you when the user joins. Default true.',
    }),
  },
  response: z.object({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
})

export const createInviteLink = endpoint({
  name: 'createInviteLink',
  owner: 'users',
  method: 'POST',
  path: '/invites/multiuse',
  auth: 'user',
  summary: 'Create a reusable invitation link',
  parameters: { ...invitationParameters, stream_ids: optionalJson(channelIds) },
  response: z.object({ invite_link: z.url() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

const invitation = {
  id: z.int(),
  invited_by_user_id: z.int(),
  /** UNIX seconds. */
  invited: z.int(),
  /** UNIX seconds; null: never. */
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
}

export const listInvitations = endpoint({
  name: 'listInvitations',
  owner: 'users',
  method: 'GET',
  path: '/invites',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'List open invitations: all for administrators, otherwise your own',
  response: z.object({
    invites: z.array(
      z.discriminatedUnion('is_multiuse', [
        z.object({
          ...invitation,
          is_multiuse: z.literal(false),
          email: z.string(),
          notify_referrer_on_join: z.boolean(),
        }),
        /** Its IDs are a separate sequence. */
        z.object({ ...invitation, is_multiuse: z.literal(true), link_url: z.url() }),
      ]),
    ),
  }),
})

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  owner: 'users',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  auth: 'user',
  summary: 'Revoke an invitation by e-mail',
  pathParameters: { invite_id: pathId },
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const revokeInvitationLink = endpoint({
  name: 'revokeInvitationLink',
  owner: 'users',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  auth: 'user',
  summary: 'Revoke a reusable invitation link',
  pathParameters: { invite_id: pathId },
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const resendInvitation = endpoint({
  name: 'resendInvitation',
  owner: 'users',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  auth: 'user',
  summary: 'Send an invitation again, with a new key and the same expiry',
  pathParameters: { invite_id: pathId },
  response: z.object({
    /** UNIX seconds. */
    timestamp: z.int(),
  }),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
})
