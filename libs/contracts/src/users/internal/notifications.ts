import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { missedMessages, missedMessagesOutcome } from '../missed-messages.ts'

/** Which of these users of an organization are away: not active lately. */
export const listAwayUsers = internalEndpoint({
  name: 'listAwayUsers',
  owner: 'users',
  path: '/internal/away-users',
  body: z.object({ realm_id: z.int(), user_ids: z.array(z.int()) }),
  response: z.object({
    user_ids: z.array(z.int()),
    /** False if their presence can't be read at the moment: then there are no IDs. */
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

/** Queues a missed-message mail to a user as a trial, for an operator. Errors: BAD_REQUEST for an unknown address. */
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
    /** Why the user gets no such mails otherwise, each as a sentence. */
    obstacles: z.array(z.string()),
  }),
})
