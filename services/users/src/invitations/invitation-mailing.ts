import type { RealmProjection } from '@tms/contracts'
import { createLinkKey, hashLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { mailKeyOf, reminderKeyOf, reminderMailKeyOf } from '../kernel/invitations/invitation-job-keys.ts'
import { addJobs } from '../kernel/jobs/jobs.ts'
import { queueMails } from '../kernel/jobs/queue-mail.ts'
import { insertInvitationKeys, type OpenInvitation } from './invitation.queries.ts'
import { reminderOf } from './invitation.rules.ts'
import { invitationMail, invitationReminderMail } from './invitation-mail.ts'

type Mailed = Pick<OpenInvitation, 'id' | 'email' | 'expiresAt'>
interface Sender {
  readonly realm: RealmProjection
  readonly inviterName: string
}

/** Gives each invitation a new key and mails it. Replaces a pending mail of the same invitation. */
export async function mailInvitations(
  tx: PrismaTx,
  invitations: readonly Mailed[],
  { realm, inviterName }: Sender,
): Promise<void> {
  const keyed = invitations.map((invitation) => ({ invitation, key: createLinkKey() }))
  await insertInvitationKeys(tx, keyed.map(hashed))
  await queueMails(
    tx,
    keyed.map(({ invitation, key }) => ({
      mail: invitationMail(realm, { ...invitation, inviterName, url: linkOf(realm, key) }),
      key: mailKeyOf(invitation.id),
    })),
  )
}

/** Schedules a reminder where the invitation is valid long enough. */
export async function scheduleReminders(
  tx: PrismaTx,
  invitations: readonly Mailed[],
  now: Date,
): Promise<void> {
  await addJobs(
    tx,
    'remind_of_invitation',
    invitations.flatMap(({ id, expiresAt }) => {
      const runAt = reminderOf(expiresAt, now)
      return runAt ? [{ payload: { invitation_id: id }, runAt, key: reminderKeyOf(id) }] : []
    }),
  )
}

/** Mails a reminder with its own key: of the first key only the hash is stored. */
export async function mailReminder(
  tx: PrismaTx,
  invitation: Mailed,
  { realm, inviterName }: Sender,
): Promise<void> {
  const key = createLinkKey()
  await insertInvitationKeys(tx, [hashed({ invitation, key })])
  const mail = invitationReminderMail(realm, { ...invitation, inviterName, url: linkOf(realm, key) })
  await queueMails(tx, [{ mail, key: reminderMailKeyOf(invitation.id) }])
}

const hashed = ({ invitation, key }: { invitation: Mailed; key: string }) => ({
  invitationId: invitation.id,
  keyHash: hashLinkKey(key),
})

const linkOf = (realm: RealmProjection, key: string): string => `${realm.url}/accounts/do_confirm/${key}`
