import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { deletionSchemas } from '../../deletion/realm-deletion.ts'
import { exportCallsOf } from '../../exports/export-calls.ts'
import { groupSettingValue } from '../../permissions/group-setting-value.ts'
import { type RealmPermission, realmPermissionNames } from '../../permissions/permission-settings.ts'
import { projectionsAnswer, replayAnswer, replayStart } from '../../projections/projection-replay.ts'
import { changesSince } from '../../projections/recent-changes.ts'
import { guestVisibility, registerStateBody, registerStateByRole } from '../../register/register-state.ts'
import { tokenScope } from '../api-tokens.ts'
import { botDefaults, botService } from '../bots.ts'
import { directorySyncReport } from '../directory-sync.ts'
import { userGroupProjection } from '../groups.ts'
import { guestVisibilityChange } from '../guest-visibility.ts'
import { userProjection } from '../records.ts'
import { signOnCheck } from '../sign-on-check.ts'

/**
 * Identifies the owner of credentials. Errors: AUTHENTICATION_FAILED (unknown key), UNAUTHORIZED (with the reason in
 * its message), REALM_DEACTIVATED.
 */
export const identify = internalEndpoint({
  name: 'identify',
  owner: 'users',
  path: '/internal/identify',
  /** Without `email` the key alone identifies its account. */
  body: z.object({ host: z.string(), email: z.string().nullable(), api_key: z.string() }),
  response: z.object({
    user_id: z.int(),
    realm_id: z.int(),
    role: z.int(),
    is_bot: z.boolean(),
    /** A bot that may only send messages. */
    is_incoming_webhook: z.boolean(),
    /** Tells the keys that an account has had apart, and says nothing of them. An older release leaves it out. */
    key_id: z.string().optional(),
  }),
})

/**
 * Identifies a provisioning system (SCIM) by the token of the organization at the host. Errors: AUTHENTICATION_FAILED,
 * REALM_DEACTIVATED.
 */
export const identifyProvisioner = internalEndpoint({
  name: 'identifyProvisioner',
  owner: 'users',
  path: '/internal/identify-provisioner',
  body: z.object({ host: z.string(), token: z.string() }),
  response: z.object({ realm_id: z.int() }),
})

/** Creates the token of an organization's provisioning system for an operator; the one before is no longer valid. */
export const replaceScimToken = internalEndpoint({
  name: 'replaceScimToken',
  owner: 'users',
  path: '/internal/scim-tokens',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ scim_url: z.string(), scim_token: z.string() }),
})

/**
 * Identifies the owner of an API token, like `identify`. Errors: AUTHENTICATION_FAILED (unknown, revoked or expired),
 * UNAUTHORIZED (with the reason in its message), REALM_DEACTIVATED. Another call than `identify`, whose callers know
 * nothing of scopes.
 */
export const identifyToken = internalEndpoint({
  name: 'identifyToken',
  owner: 'users',
  path: '/internal/identify-token',
  /** Without `email` the token alone identifies its account. */
  body: z.object({
    host: z.string(),
    email: z.string().nullable(),
    token: z.string(),
    /** The asker heeds `channel_ids`; for others there are no tokens that are limited to channels. */
    knows_channel_limits: z.boolean().optional(),
  }),
  response: identify.response.omit({ key_id: true }).extend({
    token_id: z.int(),
    scopes: z.array(tokenScope),
    /** The only channels that the token reaches; null if it isn't limited to channels. */
    channel_ids: z.array(z.int()).nullable(),
    /** A duration, so that the clocks of callers needn't agree with this one; null if it never expires. */
    expires_in_ms: z.number().nullable(),
  }),
})

/** Current records of changed accounts and groups, for services that cache or project them. */
const usersChanges = z.object({
  /** Accounts whose `identify` result may have changed: their key, role, addresses or activity changed, or a token ended. */
  identity_user_ids: z.array(z.int()),
  /** Organizations all of whose `identify` results may have changed: they were deactivated, reactivated or moved. */
  identity_realm_ids: z.array(z.int()),
  users: z.array(userProjection),
  groups: z.array(userGroupProjection),
  removed_group_ids: z.array(z.int()),
})
export type UsersChanges = z.output<typeof usersChanges>

/** Changes since the cursor of an earlier answer; null if they aren't known any more, or are too many. */
export const listUsersChanges = internalEndpoint({
  name: 'listUsersChanges',
  owner: 'users',
  path: '/internal/user-changes',
  ...changesSince(usersChanges),
})

/** Creates an account of any role, or finds the existing one with this address; for setting up an organization. */
export const ensureUser = internalEndpoint({
  name: 'ensureUser',
  owner: 'users',
  path: '/internal/users',
  body: z.object({
    realm_id: z.int(),
    email: z.string(),
    /** Null: nobody can sign in by a password until one is set. */
    password: z.string().nullable(),
    full_name: z.string(),
    role: z.int(),
  }),
  response: z.object({ user_id: z.int(), api_key: z.string(), is_new: z.boolean() }),
})

/** Whether an account could have this address and name. Errors: BAD_REQUEST with the reason. */
export const checkNewAccount = internalEndpoint({
  name: 'checkNewAccount',
  owner: 'users',
  path: '/internal/check-new-account',
  body: z.object({ email: z.string(), full_name: z.string() }),
  response: z.object({}),
})

/**
 * Creates the first owner of an organization, or returns the existing account with this address. Null if the
 * organization has other accounts and none with this address. Errors: BAD_REQUEST.
 */
export const ensureFirstOwner = internalEndpoint({
  name: 'ensureFirstOwner',
  owner: 'users',
  path: '/internal/first-owner',
  body: z.object({ realm_id: z.int(), email: z.string(), password: z.string(), full_name: z.string() }),
  response: z.object({
    owner: z.object({ user_id: z.int(), api_key: z.string(), is_new: z.boolean() }).nullable(),
  }),
})

/**
 * Sets the password of a person's account for an operator, and informs the person by mail. Errors: BAD_REQUEST for an
 * address without an active account, or a password that is easy to guess.
 */
export const setPassword = internalEndpoint({
  name: 'setPassword',
  owner: 'users',
  path: '/internal/passwords',
  body: z.object({ realm_id: z.int(), email: z.string(), password: z.string() }),
  response: z.object({ user_id: z.int() }),
})

/**
 * Brings an organization's accounts in line with its directory, for an operator. Errors: BAD_REQUEST without such a
 * directory, while that runs, and if unusually many accounts would be deactivated; SERVICE_UNAVAILABLE if the directory
 * doesn't answer.
 */
export const syncDirectory = internalEndpoint({
  name: 'syncDirectory',
  owner: 'users',
  path: '/internal/directory-syncs',
  body: z.object({ realm_id: z.int(), is_dry_run: z.boolean(), is_forced: z.boolean() }),
  response: directorySyncReport,
})

/**
 * Tries the configured ways to sign in, from where sign-ins are handled: all of them, or those that `method` names, for an
 * organization. `as` is a user name or an e-mail address, whose account is looked for. Errors: BAD_REQUEST for an
 * unknown method or organization.
 */
export const checkSignOn = internalEndpoint({
  name: 'checkSignOn',
  owner: 'users',
  path: '/internal/sign-on-checks',
  body: z.object({ realm_id: z.int(), method: z.string().nullable(), as: z.string().nullable() }),
  response: z.object({ checks: z.array(signOnCheck) }),
})

/**
 * Lets an administrator change the e-mail addresses of others, or no longer. Errors: BAD_REQUEST for an address without
 * an active account.
 */
export const setEmailChangeRight = internalEndpoint({
  name: 'setEmailChangeRight',
  owner: 'users',
  path: '/internal/email-change-rights',
  body: z.object({ realm_id: z.int(), email: z.string(), is_granted: z.boolean() }),
  response: z.object({ user_id: z.int() }),
})

/**
 * The projections of users: those requested by ID or by API e-mail (lower case), otherwise a page of all users in the
 * order of their IDs after `after_user_id`. Unknown ones are left out.
 */
export const listUserProjections = internalEndpoint({
  name: 'listUserProjections',
  owner: 'users',
  path: '/internal/user-projections',
  body: z.object({
    realm_id: z.int().optional(),
    user_ids: z.array(z.int()).optional(),
    emails: z.array(z.string()).optional(),
    after_user_id: z.int().optional(),
    limit: z.int().max(10_000).optional(),
  }),
  response: z.object({ users: z.array(userProjection) }),
})

/**
 * The projections of custom groups: those of these names (in any case) in an organization, otherwise a page of all
 * groups in the order of their IDs after `after_group_id`. Unknown ones are left out.
 */
export const listUserGroupProjections = internalEndpoint({
  name: 'listUserGroupProjections',
  owner: 'users',
  path: '/internal/user-group-projections',
  body: z.union([
    z.object({ realm_id: z.int(), names: z.array(z.string()).max(1_000) }),
    z.object({ after_group_id: z.int(), limit: z.int().max(10_000) }),
  ]),
  response: z.object({ groups: z.array(userGroupProjection) }),
})

/** Errors: BAD_REQUEST if a value names a user or custom group that isn't in the organization, or is deactivated. */
export const checkGroupSettings = internalEndpoint({
  name: 'checkGroupSettings',
  owner: 'users',
  path: '/internal/check-group-settings',
  body: z.object({ realm_id: z.int(), values: z.array(groupSettingValue).max(100) }),
  response: z.object({}),
})

/** Which of these users of an organization are deactivated. */
export const listDeactivatedUsers = internalEndpoint({
  name: 'listDeactivatedUsers',
  owner: 'users',
  path: '/internal/deactivated-users',
  body: z.object({ realm_id: z.int(), user_ids: z.array(z.int()) }),
  response: z.object({ user_ids: z.array(z.int()) }),
})

/** Whether a user has a permission of the organization. Errors: BAD_REQUEST for an unknown user. */
export const checkRealmPermission = internalEndpoint({
  name: 'checkRealmPermission',
  owner: 'users',
  path: '/internal/check-realm-permission',
  body: z.object({
    realm_id: z.int(),
    user_id: z.int(),
    permission: z.enum(realmPermissionNames as [RealmPermission]),
  }),
  response: z.object({ is_permitted: z.boolean() }),
})

/** The projection of the organization's notification bot, which is created if it doesn't exist. */
export const ensureSystemBot = internalEndpoint({
  name: 'ensureSystemBot',
  owner: 'users',
  path: '/internal/system-bot',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ user: userProjection }),
})

/** Defaults for parameters that a bot leaves out of its requests; empty if the user isn't a bot. */
export const getBotDefaults = internalEndpoint({
  name: 'getBotDefaults',
  owner: 'users',
  path: '/internal/bot-defaults',
  body: z.object({ user_id: z.int() }),
  response: botDefaults,
})

/**
 * Updates the names of bots' default channels, for an organization's bots that have one of these channels; with
 * `user_ids` only for bots of these owners. Messaging calls it after it changed a channel or its subscribers, and
 * before it answers: from then on every replica answers accordingly.
 */
export const updateBotChannelNames = internalEndpoint({
  name: 'updateBotChannelNames',
  owner: 'users',
  path: '/internal/bot-channel-names',
  body: z.object({
    realm_id: z.int(),
    stream_ids: z.array(z.int()),
    user_ids: z.array(z.int()).nullable(),
  }),
  response: z.object({}),
})

/**
 * The target of an outgoing webhook, and the token that authenticates its caller. Null if it must not be called: it,
 * its owner or its organization is deactivated; it has no URL, or isn't an outgoing webhook.
 */
export const getOutgoingWebhook = internalEndpoint({
  name: 'getOutgoingWebhook',
  owner: 'users',
  path: '/internal/outgoing-webhook',
  body: z.object({ user_id: z.int() }),
  response: z.object({ service: botService.nullable() }),
})

/**
 * Who owns a bot that an operator creates: the active account of a person with this e-mail address, otherwise the organization's
 * first active owner. Errors: BAD_REQUEST if there is none.
 */
export const findBotOwner = internalEndpoint({
  name: 'findBotOwner',
  owner: 'users',
  path: '/internal/bot-owner',
  body: z.object({ realm_id: z.int(), email: z.string().nullable() }),
  response: z.object({ user_id: z.int(), role: z.int(), full_name: z.string() }),
})

/**
 * Creates an incoming webhook of a user, who must be permitted to. Errors: BAD_REQUEST, UNAUTHORIZED_PRINCIPAL.
 */
export const createIncomingWebhook = internalEndpoint({
  name: 'createIncomingWebhook',
  owner: 'users',
  path: '/internal/incoming-webhooks',
  body: z.object({
    realm_id: z.int(),
    owner_id: z.int(),
    full_name: z.string(),
    integration: z.string(),
  }),
  response: z.object({ user_id: z.int(), api_key: z.string() }),
})

/** The part of register's initial state that users owns. Errors: UNAUTHORIZED for a deactivated account. */
export const usersRegisterState = internalEndpoint({
  name: 'usersRegisterState',
  owner: 'users',
  path: '/internal/register-state/users',
  body: registerStateBody,
  response: registerStateByRole.extend({
    /** Null for users that aren't restricted. */
    guest_visibility: guestVisibility.nullable(),
  }),
  tail: 'state',
})

/**
 * Transfers messaging's knowledge of the users that guests can see. Changes of an organization come in the order of
 * their `number`; one that isn't above the last applied number was applied already.
 */
export const updateGuestVisibility = internalEndpoint({
  name: 'updateGuestVisibility',
  owner: 'users',
  path: '/internal/guest-visibility',
  body: z.object({
    realm_id: z.int(),
    number: z.int(),
    request_id: z.string().nullable(),
    change: guestVisibilityChange,
  }),
  response: z.object({}),
})

/** Status of users' projections of organizations. Errors: SERVICE_UNAVAILABLE without the broker. */
export const describeProjections = internalEndpoint({
  name: 'describeProjections',
  owner: 'users',
  path: '/internal/projections/users',
  body: z.object({}),
  response: projectionsAnswer,
})

/**
 * Starts comparing users' projections of organizations with their owner, and repairing differences; replaces an
 * earlier replay. Continues after the answer. Errors: SERVICE_UNAVAILABLE without the broker.
 */
export const replayProjections = internalEndpoint({
  name: 'replayProjections',
  owner: 'users',
  path: '/internal/replay-projections/users',
  body: z.object({ from: replayStart }),
  response: replayAnswer,
})

/**
 * Deletes the accounts, groups and pictures of an organization that is being deleted, for some seconds. Realm repeats the call until
 * nothing is left. Errors: BAD_REQUEST if the organization is active.
 */
export const deleteRealmData = internalEndpoint({
  name: 'deleteRealmData',
  owner: 'users',
  path: '/internal/delete-realm-data/users',
  ...deletionSchemas,
})

export const { exportRecords, importRecords, exportFile, importFile, removeImport } = exportCallsOf('users')
