import type { BlobStore } from '@tms/blob-store'
import type { SignOnSettings } from '@tms/contracts'
import type {
  InternalClient,
  InternalStreams,
  Pool,
  PrismaTransact,
  ProjectionReplay,
  Publisher,
} from '@tms/service-kit'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import type { CheckPasswordStrength } from './credentials/password-strength.rules.ts'
import type { Passwords } from './credentials/passwords.ts'
import type { MailLimits } from './mails/claim-mail.ts'
import type { Mail } from './mails/mail.ts'
import type { ReplyAddresses } from './mails/reply-addresses.ts'
import type { UnsubscribeLinks } from './mails/unsubscribe-links.ts'
import type { PresenceAccounts } from './presence/presence-accounts.ts'
import type { PresenceStore } from './presence/presence-store.ts'
import type { PushSenders } from './pushes/push.ts'
import type { PushRelay } from './pushes/push-relay.ts'
import type { SealKeys } from './pushes/seal.ts'
import type { RealmReader } from './realms/realm-reader.ts'
import type { SessionStore } from './sessions/session-store.ts'

/** What handlers may use. */
export interface Context {
  readonly prisma: PrismaClient
  /** For reads of many rows, where Prisma takes twice as long. Never use it inside a Prisma transaction. */
  readonly db: Pool
  /**
   * Runs `work` in one transaction. Resolves once it is committed, its changes are in force everywhere, and its
   * events are handed to the relay. Rejects with SERVICE_UNAVAILABLE if that can't be known.
   */
  readonly transact: PrismaTransact<Prisma.TransactionClient>
  readonly realms: RealmReader
  /** Compares the projection of organizations with the realm service. */
  readonly projectionReplay: Pick<ProjectionReplay, 'start' | 'describe'>
  readonly passwords: Passwords
  readonly checkPasswordStrength: CheckPasswordStrength
  /** Whether any API key can be fetched without a password, for development. */
  readonly hasDevelopmentLogin: boolean
  /** How the installation lets users sign in. */
  readonly signOn: SignOnSettings
  /** Counts refused sign-ins. */
  readonly refusals: {
    add(
      realmId: number,
      userId: number | null,
      address: string,
      now: Date,
    ): { readonly count: number; readonly ofOrganization: number } | null
  }
  readonly passwordAttempts: { readonly max: number; readonly windowSeconds: number }
  readonly invitationLimits: {
    readonly validityMinutes: number
    /** 0 means no limit, also below. */
    readonly perDay: number
    readonly perDayOfNewRealms: number
    readonly minAgeDays: number
  }
  /** Limits of mails that are requested without an account. */
  readonly mailLimits: MailLimits
  /** Whether this installation mails digests. */
  readonly mailsDigests: boolean
  /** Mails about missed messages that a user may get within a day; 0 for any number. */
  readonly missedMessageMailsPerDay: number
  readonly unsubscribeLinks: UnsubscribeLinks
  /** Addresses for replies by mail; null if there are none. */
  readonly replyAddresses: ReplyAddresses | null
  /** The address that mails come from. */
  readonly mailFrom: string
  /** Sends a mail at once and returns the server's answer or the file; everything else queues mails. */
  readonly deliverMail: (mail: Mail) => Promise<string>
  readonly pushes: {
    readonly senders: PushSenders
    /** Those that registrations of clients may be sealed for; none if they are off. */
    readonly sealKeys: readonly SealKeys[]
    /** The service that reaches apps instead of senders for each kind; null for none. */
    readonly relay: PushRelay | null
    readonly relayed: {
      /** Call it right after each commit that deleted devices. */
      wake(): void
      /** Call it right after each commit that stored what a client registers. */
      wakeRegistrations(): void
      /** Has the organizations reported soon. */
      report(): void
    }
    /** Notifications that may appear on the devices of a user within an hour; 0 for any number. */
    readonly perHour: number
    /** Whether users may register push services on this machine and in private networks. */
    readonly allowsPrivate: boolean
    /** Wake it right after each commit that queued deliveries. */
    readonly deliveries: { wake(): void }
  }
  /** Whether outgoing webhooks may call this machine and private networks. */
  readonly webhooks: { readonly allowsPrivate: boolean }
  readonly call: InternalClient
  /** Calls of messaging that send bytes. */
  readonly uploadToMessaging: InternalStreams['upload']
  readonly presence: PresenceStore
  readonly presenceAccounts: PresenceAccounts
  /** Sessions of browsers on the pages. */
  readonly sessions: SessionStore
  /** Publishes transient events without the outbox. */
  readonly publisher: Publisher
  /** Avatars. */
  readonly blobs: BlobStore
  readonly now: () => Date
}
