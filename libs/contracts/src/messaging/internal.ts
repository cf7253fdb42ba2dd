import { z } from 'zod'
import { internalEndpoint } from '../endpoint.ts'
import { registerStateBody, registerStateByRole } from '../events/register-state.ts'
import { exportCallsOf } from '../exports/internal.ts'

/**
 * The part of register's initial state that messaging owns. `channel_ids` are the caller's subscriptions in
 * the same snapshot, whatever was asked for: the new queue needs them.
 */
export const messagingRegisterState = internalEndpoint({
  name: 'messagingRegisterState',
  owner: 'messaging',
  path: '/internal/register-state/messaging',
  body: registerStateBody,
  response: registerStateByRole.extend({ channel_ids: z.array(z.int()) }),
  tail: 'state',
})

/** Errors: BAD_REQUEST if the user can't know of one of these channels. */
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
  response: z.object({}),
})

/**
 * Errors: BAD_REQUEST if the user can't use one of these channels, or may not subscribe others while there are any.
 * Nothing but what an invitation needs to know.
 */
export const checkInvitationChannels = internalEndpoint({
  name: 'checkInvitationChannels',
  owner: 'messaging',
  path: '/internal/check-invitation-channels',
  body: z.object({ realm_id: z.int(), user_id: z.int(), stream_ids: z.array(z.int()) }),
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

/** Messaging's part of exports and imports. */
export const { exportRecords, importRecords, exportFile, importFile, removeImport } =
  exportCallsOf('messaging')
