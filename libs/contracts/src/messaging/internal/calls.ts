import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { deletionSchemas } from '../../deletion/realm-deletion.ts'
import { exportCallsOf } from '../../exports/export-calls.ts'
import { projectionsAnswer, replayAnswer, replayStart } from '../../projections/projection-replay.ts'
import { registerStateBody, registerStateByRole } from '../../register/register-state.ts'
import { spectatorStateBody } from '../../register/spectator-state.ts'
import { joining } from '../../users/joining.ts'
import { userProjection } from '../../users/records.ts'
import { createdIntegration } from '../integrations.ts'

/**
 * The part of register's initial state that messaging owns. `channel_ids` are the caller's subscriptions in the same
 * snapshot, whatever was requested: the new queue needs them.
 */
export const messagingRegisterState = internalEndpoint({
  name: 'messagingRegisterState',
  owner: 'messaging',
  path: '/internal/register-state/messaging',
  body: registerStateBody,
  response: registerStateByRole.extend({ channel_ids: z.array(z.int()) }),
  tail: 'state',
})

/** The same for spectators; `has_channels` is false if no channel is web-public, and then there is no state. */
export const messagingSpectatorState = internalEndpoint({
  name: 'messagingSpectatorState',
  owner: 'messaging',
  path: '/internal/spectator-state/messaging',
  body: spectatorStateBody,
  response: z.object({ has_channels: z.boolean(), state: z.record(z.string(), z.unknown()) }),
})

/** Whether an organization has a web-public channel at this moment. */
export const findWebPublicChannel = internalEndpoint({
  name: 'findWebPublicChannel',
  owner: 'messaging',
  path: '/internal/web-public-channel',
  body: z.object({ realm_id: z.int() }),
  response: z.object({ exists: z.boolean() }),
})

/** The channels whose permissions name a custom group, except archived ones. */
export const listGroupUses = internalEndpoint({
  name: 'listGroupUses',
  owner: 'messaging',
  path: '/internal/group-uses',
  body: z.object({ realm_id: z.int(), user_id: z.int(), role: z.int(), group_id: z.int() }),
  response: z.object({
    channels: z.array(
      z.object({
        /** Null for all the channels that the user can't see. */
        channel_id: z.int().nullable(),
        settings: z.array(z.string()),
      }),
    ),
  }),
})

/**
 * The channels of these IDs, then those of these names (in any case), in the requested order. Errors: BAD_REQUEST if
 * the user can't see one of them.
 */
export const checkChannels = internalEndpoint({
  name: 'checkChannels',
  owner: 'messaging',
  path: '/internal/check-channels',
  body: z.object({
    realm_id: z.int(),
    user_id: z.int(),
    role: z.int(),
    stream_ids: z.array(z.int()),
    stream_names: z.array(z.string()).default([]),
  }),
  response: z.object({
    channels: z.array(
      z.object({
        stream_id: z.int(),
        name: z.string(),
        /** Missing in answers of the release before. */
        invite_only: z.boolean().optional(),
      }),
    ),
  }),
})

/**
 * The current names of channels, each for one user of a role; null for a channel that is archived, or that the user
 * can't see. In the requested order.
 */
export const listChannelNames = internalEndpoint({
  name: 'listChannelNames',
  owner: 'messaging',
  path: '/internal/channel-names',
  body: z.object({
    requests: z
      .array(z.object({ realm_id: z.int(), user_id: z.int(), role: z.int(), stream_id: z.int() }))
      .max(1_000),
  }),
  response: z.object({ names: z.array(z.string().nullable()) }),
})

/**
 * Errors: BAD_REQUEST if the user can't use one of these channels, or may not subscribe others to one that isn't a default one.
 * Only for invitations.
 */
export const checkInvitationChannels = internalEndpoint({
  name: 'checkInvitationChannels',
  owner: 'messaging',
  path: '/internal/check-invitation-channels',
  body: z.object({ realm_id: z.int(), user_id: z.int(), stream_ids: z.array(z.int()) }),
  response: z.object({}),
})

/**
 * Subscribes a new user to the initial channels and sends the welcome message, before the request that created the
 * account is answered. If this call fails, the handler of the user's event does it.
 */
export const onboardUser = internalEndpoint({
  name: 'onboardUser',
  owner: 'messaging',
  path: '/internal/onboarding',
  body: z.object({ projection: userProjection, joined: joining.optional() }),
  response: z.object({}),
})

/** The newest message that a user can have; -1 if none. */
export const getMaxMessageId = internalEndpoint({
  name: 'getMaxMessageId',
  owner: 'messaging',
  path: '/internal/max-message-id',
  body: z.object({ realm_id: z.int(), user_id: z.int() }),
  response: z.object({ max_message_id: z.int() }),
})

/**
 * Status of messaging's projections of users, groups and organizations. Errors: SERVICE_UNAVAILABLE without the
 * broker.
 */
export const describeProjections = internalEndpoint({
  name: 'describeProjections',
  owner: 'messaging',
  path: '/internal/projections/messaging',
  body: z.object({}),
  response: projectionsAnswer,
})

/**
 * Starts comparing messaging's projections of users, groups and organizations with their owners, and repairing
 * differences; replaces an earlier replay. Continues after the answer. Errors: SERVICE_UNAVAILABLE without the
 * broker.
 */
export const replayProjections = internalEndpoint({
  name: 'replayProjections',
  owner: 'messaging',
  path: '/internal/replay-projections/messaging',
  body: z.object({ from: replayStart }),
  response: replayAnswer,
})

/**
 * Renders stored messages again with the current renderer, for some seconds: of one organization or of all, with IDs
 * after `after` up to `up_to`, or to the last. References to users and channels in a message stay. Call it until
 * `last_id` is `up_to`, with the values of the last answer; messages that can't be rendered any more are left as they
 * are, and counted as failed.
 */
export const renderAgain = internalEndpoint({
  name: 'renderAgain',
  owner: 'messaging',
  path: '/internal/render-again',
  body: z.object({ realm_id: z.int().nullable(), after: z.int(), up_to: z.int().nullable() }),
  response: z.object({
    last_id: z.int(),
    up_to: z.int(),
    unchanged: z.int(),
    changed: z.int(),
    failed: z.int(),
  }),
})

/**
 * Deletes the channels, messages and files of an organization that is being deleted, for some seconds. Realm repeats the call until
 * nothing is left. Errors: BAD_REQUEST if the organization is active.
 */
export const deleteRealmData = internalEndpoint({
  name: 'deleteRealmData',
  owner: 'messaging',
  path: '/internal/delete-realm-data/messaging',
  ...deletionSchemas,
})

/** Sets up an integration for an operator; its bot belongs to this user. Errors: those of `createIntegration`. */
export const setUpIntegration = internalEndpoint({
  name: 'setUpIntegration',
  owner: 'messaging',
  path: '/internal/integrations',
  body: z.object({
    realm_id: z.int(),
    user_id: z.int(),
    role: z.int(),
    integration: z.string(),
    channel: z.string().nullable(),
    topic: z.string().nullable(),
    bot_name: z.string().nullable(),
  }),
  response: createdIntegration,
})

/** Messaging's part of exports and imports. */
export const { exportRecords, importRecords, exportFile, importFile, removeImport } =
  exportCallsOf('messaging')
