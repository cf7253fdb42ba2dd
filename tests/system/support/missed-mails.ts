import { endpoints } from '@tms/contracts'
import type { Pool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import type { Email } from 'postal-mime'
import type { MailServer } from './mail-server.ts'
import { metricOf } from './observe.ts'
import { until } from './until.ts'
import { sendDirectly } from './users-and-channels.ts'

export const textOf = ({ text = '' }: Email): string => text
export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value

/** Changes one setting of a user's subscription. */
export async function setSubscription(
  user: ApiClient,
  stream_id: number,
  property: 'is_muted' | 'email_notifications' | 'wildcard_mentions_notify',
  value: boolean,
): Promise<void> {
  await user.call(endpoints.messaging.updateSubscriptionSettings, {
    subscription_data: [{ stream_id, property, value }],
  })
}

/** Waits until it is decided which users are notified of a message, also if it mentions everyone. */
export const untilDecided = (messagingDb: Pool, messageId: number): Promise<void> =>
  until(async () => {
    const { rows } = await messagingDb.query<{ is_decided: boolean }>(
      `select up_to >= $1 and not exists (select from missed_wildcards where message_id <= $1) as is_decided
         from missed_message_progress`,
      [messageId],
    )
    return rows[0]?.is_decided === true
  })

/** Simulates the passing of time for users who were active when messages came: has them looked at again now, and waits for it. */
export async function decidePostponed(messagingDb: Pool, { userId }: ApiClient): Promise<void> {
  const { rowCount } = await messagingDb.query(
    'update postponed_notifications set decide_at = now() where user_id = $1',
    [userId],
  )
  if (rowCount === 0) throw new Error('nothing was postponed')
  await until(async () => {
    const { rows } = await messagingDb.query('select id from postponed_notifications where user_id = $1', [
      userId,
    ])
    return rows.length === 0
  })
}

/** Waits until nothing of a user is to be handed over. */
export const untilHandedOver = (messagingDb: Pool, { userId }: ApiClient): Promise<void> =>
  until(async () => {
    const { rows } = await messagingDb.query('select id from missed_message_batches where user_id = $1', [
      userId,
    ])
    return rows.length === 0
  })

/** Whether a user wants mails about missed messages. */
export async function wantsMails(user: ApiClient): Promise<boolean> {
  const state = await user.call(endpoints.events.register, { fetch_event_types: ['user_settings'] })
  return (
    (state as unknown as { user_settings: { enable_offline_email_notifications: boolean } }).user_settings
      .enable_offline_email_notifications === true
  )
}

/** Waits until no mail waits at the first replica of users. */
export async function untilMailed({ system }: TestSystem): Promise<void> {
  const [users = ''] = system.urls.users
  await until(async () => (await metricOf(users, 'jobs_waiting')) === 0)
}

/**
 * The mails that a user has got when all that was sent before is decided, handed over and mailed: a direct message
 * that follows has been.
 */
export async function listSettledMails(
  product: TestSystem,
  mailServer: MailServer,
  user: ApiClient,
): Promise<Email[]> {
  const marker = `marker ${Math.random()}`
  const isMarker = ({ text = '' }: Email) => text.includes(marker)
  await sendDirectly(product.owner, [user], marker)
  await until(async () => mailServer.mailsTo(user.email).some(isMarker))
  await untilMailed(product)
  return mailServer.mailsTo(user.email).filter((mail) => !isMarker(mail))
}
