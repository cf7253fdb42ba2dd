import type { internal } from '@tms/contracts'
import { type InternalHandler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { countQueuedJobs } from '../kernel/jobs/job.queries.ts'
import { addJobs } from '../kernel/jobs/jobs.ts'
import { ANNOUNCEMENT_PRIORITY, NOTIFICATION_ATTEMPTS } from '../kernel/jobs/queue-mail.ts'
import { addRecipients, ensureAnnouncement, listRecipients } from './announcement.queries.ts'
import { getAnnouncementRealm, MAX_ROLES } from './describe-announcement.ts'

/** People of one call. */
const MAX_PEOPLE = 200
/** Mails that may wait for their first attempt: a large organization has many, and other mails must not be behind them. */
const MAX_QUEUED = 400
/** Of those that failed before, which wait for hours: a mail server that is down gets no more. */
const MAX_RETRIED = 10_000

/**
 * Queues an announcement to the next people. Recipients and mails are stored in one transaction, so each gets it once
 * although a call is cut off or repeated, or two operators send it.
 */
export const handleQueueAnnouncement: InternalHandler<
  typeof internal.users.queueAnnouncement,
  Context
> = async (announcement, context) => {
  const { realm_id: realmId, audience, after } = announcement
  const maxRole = MAX_ROLES[audience]
  await getAnnouncementRealm(context, realmId)
  const { first, again } = await countQueuedJobs(context.db, ANNOUNCEMENT_PRIORITY, {
    ...{ first: MAX_QUEUED + 1, again: MAX_RETRIED + 1 },
  })
  if (first > MAX_QUEUED || again > MAX_RETRIED) return { queued: 0, last_id: after, is_busy: true }
  return transact(context.db, async (tx) => {
    const announcementId = await ensureAnnouncement(tx, announcement, context.now())
    const ids = await listRecipients(tx, { realmId, maxRole, after, limit: MAX_PEOPLE })
    const added = await addRecipients(tx, announcementId, ids)
    await addJobs(
      tx,
      'send_announcement',
      added.map((userId) => ({
        payload: { announcementId, realmId, userId, maxRole },
        priority: ANNOUNCEMENT_PRIORITY,
        maxAttempts: NOTIFICATION_ATTEMPTS,
      })),
    )
    const lastId = ids.length < MAX_PEOPLE ? null : (ids.at(-1) ?? null)
    return { queued: added.length, last_id: lastId, is_busy: false }
  })
}
