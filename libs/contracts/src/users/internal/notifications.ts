import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { missedMessages, missedMessagesOutcome } from '../missed-messages.ts'
import { pushNotice, pushOutcome, pushState } from '../pushes.ts'

/** When users of an organization were last active, in the order of their IDs. */
export const listLastActivity = internalEndpoint({
  name: 'listLastActivity',
  owner: 'users',
  path: '/internal/last-activity',
  body: z.object({ realm_id: z.int(), user_ids: z.array(z.int()) }),
  response: z.object({
    /** Seconds since the epoch; null if it isn't known of any. */
    active_at: z.array(z.number().nullable()),
    /** False if their presence can't be read at the moment: then there are no times. */
    is_known: z.boolean(),
  }),
})

/**
 * Mails a user what they missed, a mail for each conversation. A batch that was handed over before changes nothing, so
 * that each is mailed once although messaging may repeat the call.
 */
export const mailMissedMessages = internalEndpoint({
  name: 'mailMissedMessages',
  owner: 'users',
  path: '/internal/missed-message-mails',
  body: missedMessages,
  response: z.object({ outcome: missedMessagesOutcome }),
})

/**
 * Notifies users on their devices. A notice that was handed over before changes nothing, so that each is queued once
 * although messaging may repeat the call. Outcomes are in the order of the notices.
 */
export const pushNotices = internalEndpoint({
  name: 'pushNotices',
  owner: 'users',
  path: '/internal/push-notices',
  body: z.object({ notices: z.array(pushNotice).max(100) }),
  response: z.object({ outcomes: z.array(pushOutcome) }),
})

/** Sends a user a mail and a notification to each device as a trial, for an operator. Errors: BAD_REQUEST for an unknown address. */
export const mailTestNotification = internalEndpoint({
  name: 'mailTestNotification',
  owner: 'users',
  path: '/internal/test-notifications',
  body: z.object({ realm_id: z.int(), email: z.string() }),
  response: z.object({
    user_id: z.int(),
    /** The answer of the mail server, or the file; null if it failed. */
    destination: z.string().nullable(),
    /** Why it could not be sent; null if it was. */
    failure: z.string().nullable(),
    /** Where an answer to the mail goes, which is answered by another mail; null if replies by mail are off. */
    reply_address: z.string().nullable().default(null),
    /** Why the user gets no such mails otherwise, each as a sentence. */
    obstacles: z.array(z.string()),
    /** What became of a notification to each device that the installation has credentials of. */
    pushes: z
      .array(
        z.object({
          service: z.string(),
          /** The service of a subscription, or the end of a token. */
          device: z.string(),
          result: z.enum(['sent', 'gone', 'refused', 'retry']),
          /** Why it was not sent; null if it was. */
          reason: z.string().nullable(),
        }),
      )
      .default([]),
    /** Why the user gets no notifications on devices otherwise, each as a sentence. */
    push_obstacles: z.array(z.string()).default([]),
  }),
})

/** Mails a user a digest of what they missed within the last week as a trial, for an operator. Errors: BAD_REQUEST for an unknown address. */
export const mailTestDigest = internalEndpoint({
  name: 'mailTestDigest',
  owner: 'users',
  path: '/internal/test-digests',
  body: z.object({ realm_id: z.int(), email: z.string() }),
  response: z.object({
    user_id: z.int(),
    /** The answer of the mail server, or the file; null if nothing was sent. */
    destination: z.string().nullable(),
    /** Why nothing was sent: a failure, or that there is nothing to say; null if it was. */
    failure: z.string().nullable(),
    /** Why the user gets no digests otherwise, each as a sentence. */
    obstacles: z.array(z.string()),
  }),
})

/**
 * Registers the installation at the push relay service that users is configured for, or changes what it registered.
 * `new_key` replaces the configured key there. Errors: PUSH_SERVICE_NOT_CONFIGURED without such a service; BAD_REQUEST
 * with what it answers; FAILED_TO_CONNECT_BOUNCER, INTERNAL_SERVER_ERROR_ON_BOUNCER.
 */
export const registerAtPushRelay = internalEndpoint({
  name: 'registerAtPushRelay',
  owner: 'users',
  path: '/internal/push-relay-registration',
  body: z.object({ contact_email: z.string(), new_key: z.string().nullable() }),
  response: z.object({ url: z.string(), organization: z.string(), hostname: z.string() }),
})

/** Ends the registration. Errors: as of `registerAtPushRelay`. */
export const deactivateAtPushRelay = internalEndpoint({
  name: 'deactivateAtPushRelay',
  owner: 'users',
  path: '/internal/push-relay-deactivation',
  body: z.object({}),
  response: z.object({ url: z.string(), organization: z.string() }),
})

/** Reports to the push relay service, and returns what it says about each organization. Errors: as of `registerAtPushRelay`. */
export const reportToPushRelay = internalEndpoint({
  name: 'reportToPushRelay',
  owner: 'users',
  path: '/internal/push-relay-report',
  body: z.object({}),
  response: z.object({ url: z.string(), organization: z.string(), states: z.array(pushState) }),
})
