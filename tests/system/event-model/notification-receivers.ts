import { endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { untilDevicesKnown } from '../support/known-devices.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { newWebPushKeys, type PushSubscriber, startPushService } from '../support/push-service.ts'

const { addWebPushSubscription, updateSettings } = endpoints.users

const NEVER = 4
/** Long enough that a mail joins some messages, and short enough that a history has several. */
const BATCHING_SECONDS = 3

/** The servers beyond the system that notifications of participants reach. */
export interface NotificationServers {
  /** What the services need to reach them; without limits of what a person gets. */
  readonly serviceEnv: Readonly<Record<string, string>>
  /** What was wrong with requests. */
  readonly faults: readonly string[]
  /** Gives each participant a device, and mails about missed messages. */
  connect(product: TestSystem, participants: readonly ApiClient[]): Promise<NotificationReceivers>
  stop(): Promise<void>
}

/** The devices and mailboxes of participants. */
export interface NotificationReceivers {
  pushesOf(participant: ApiClient): PushSubscriber['received']
  mailsTo(participant: ApiClient): ReturnType<MailServer['mailsTo']>
}

/** Starts a push service and a mail server. */
export async function startNotificationServers(): Promise<NotificationServers> {
  const keys = newWebPushKeys()
  const pushService = await startPushService(keys.WEB_PUSH_PUBLIC_KEY)
  const mailServer = await startMailServer(await pickFreePort())
  return {
    serviceEnv: {
      ...keys,
      PUSHES_TO_PRIVATE_ADDRESSES: 'true',
      PUSHES_PER_HOUR: '0',
      MAIL_URL: mailServer.url,
      MISSED_MESSAGE_MAILS_PER_DAY: '0',
    },
    faults: pushService.faults,
    connect: async (product, participants) => {
      const devices = new Map<number, PushSubscriber>()
      for (const participant of participants) {
        const device = pushService.subscribe()
        await participant.call(addWebPushSubscription, { ...device.subscription, removals: true })
        // Otherwise participants follow topics, and get all of them.
        await participant.call(updateSettings, {
          automatically_follow_topics_policy: NEVER,
          automatically_follow_topics_where_mentioned: false,
          email_notifications_batching_period_seconds: BATCHING_SECONDS,
        })
        devices.set(participant.userId, device)
      }
      const messagingDb = createPool(product.system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      await untilDevicesKnown(messagingDb, participants).finally(() => messagingDb.end())
      return {
        pushesOf: ({ userId }) => devices.get(userId)?.received ?? [],
        mailsTo: ({ email }) => mailServer.mailsTo(email),
      }
    },
    stop: async () => {
      pushService.close()
      await mailServer.stop()
    },
  }
}
