import type { BlobStore } from '@tms/blob-store'
import type { SignOnSettings } from '@tms/contracts'
import type { InternalClient, Pool, PrismaTransact } from '@tms/service-kit'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import type { MobilePush } from './realms/push-state.ts'

/** What all handlers may use. The folders of nouns extend it with what only they need. */
export interface Context {
  readonly prisma: PrismaClient
  /** The same database, for streaming and bulk inserts. */
  readonly db: Pool
  /**
   * Runs `work` in one transaction. Resolves once it is committed, its changes are visible everywhere, and their
   * events may be published. Rejects with SERVICE_UNAVAILABLE if that can't be determined.
   */
  readonly transact: PrismaTransact<Prisma.TransactionClient>
  /** Calls other services. */
  readonly call: InternalClient
  /** Store of pictures and export archives. */
  readonly blobs: BlobStore
  readonly now: () => Date
  /** Host and port that clients use. */
  readonly externalHost: string
  /** URL of the installation: scheme and external host. */
  readonly externalUrl: string
  /** Days between a deactivation and the deletion that clients may request; `max` null means any number, or never. */
  readonly deletionDelayDays: { readonly min: number; readonly max: number | null }
  /** Makes this replica check for organizations to delete. */
  readonly wakeDeleter: () => void
  /** For how many days at least entries of the audit log are kept. */
  readonly minAuditRetentionDays: number
  /** Makes this replica check for entries of the audit log to delete. */
  readonly wakeAuditRetention: () => void
  /** Deletes the stream that an organization has in RabbitMQ, if it has one. Rejects while RabbitMQ is unavailable. */
  readonly deleteOrganizationStream: (realmId: number) => Promise<void>
  /** MiB of files that each organization may have; null means no limit. */
  readonly uploadQuotaMib: number | null
  /** How the installation lets users sign in. */
  readonly signOn: SignOnSettings
  /** How notifications are sent to mobile apps. */
  readonly mobilePush: MobilePush
  /** Whether the installation mails digests. */
  readonly sendsDigests: boolean
  /** What browsers subscribe to Web Push with; null if none is sent. */
  readonly webPushPublicKey: string | null
}
