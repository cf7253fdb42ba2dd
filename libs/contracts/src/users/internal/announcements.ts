import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'
import { announcement } from '../announcement.ts'

/** What an announcement would be. Errors: BAD_REQUEST for an unknown organization, REALM_DEACTIVATED. */
export const describeAnnouncement = internalEndpoint({
  name: 'describeAnnouncement',
  owner: 'users',
  path: '/internal/announcement-descriptions',
  body: announcement,
  response: z.object({
    /** Users who would get it now. */
    recipients: z.int(),
    /** Users who have it already. */
    earlier: z.int(),
    /** Users who have turned such mails off. */
    unwilling: z.int(),
    /** The mail as text, as somebody without a name and an account would get it. */
    text: z.string(),
  }),
})

/**
 * Queues an announcement to some more users, once to each, however often it is called. Errors: as of
 * `describeAnnouncement`.
 */
export const queueAnnouncement = internalEndpoint({
  name: 'queueAnnouncement',
  owner: 'users',
  path: '/internal/announcements',
  body: announcement.extend({
    /** Users with IDs up to this one have been gone through; 0 at first. */
    after: z.int(),
  }),
  response: z.object({
    queued: z.int(),
    /** Up to which ID users have been gone through; null if all have. */
    last_id: z.int().nullable(),
    /** Nothing was queued, since many wait for the mail server: call again later. */
    is_busy: z.boolean(),
  }),
})
