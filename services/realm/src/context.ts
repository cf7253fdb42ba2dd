import type { BlobStore } from '@tms/blob-store'
import type { InternalClient, InternalStreams, Pool } from '@tms/service-kit'
import type { BigBlueButton } from './calls/big-blue-button.ts'
import type { CallLinks } from './calls/call-links.ts'
import type { EmojiDocument } from './emoji/get-emoji-data.ts'
import type { ExportLinks } from './exports/export-link.ts'
import type { Prisma, PrismaClient } from './generated/prisma/client.ts'

/** The one transaction type of this service. */
export type PrismaTx = Prisma.TransactionClient

/** What handlers may use. */
export interface Context {
  readonly prisma: PrismaClient
  /** The same database, for what is streamed or inserted in bulk. */
  readonly db: Pool
  /**
   * Runs `work` in one transaction. Once that is committed and its changes are in force everywhere, it resolves and their events are
   * published. Rejects with SERVICE_UNAVAILABLE where that can't be known.
   */
  readonly transact: <T>(work: (tx: PrismaTx) => Promise<T>) => Promise<T>
  /** Calls other services. */
  readonly call: InternalClient
  /** Streams to and from other services, and to this one, which gives its part of an export as all do. */
  readonly streams: InternalStreams
  /** Where pictures are kept. */
  readonly blobs: BlobStore
  readonly emojiDocument: EmojiDocument
  readonly exportLinks: ExportLinks
  /** Has this replica look for exports that wait. */
  readonly wakeExporter: () => void
  /** The weakest role that may have full exports; 0 is nobody. */
  readonly fullExportRole: number
  readonly maxExportsPerWeek: number
  /** A local folder where archives are made. */
  readonly spoolFolder: string
  readonly now: () => Date
  /** Host and port that clients use. */
  readonly externalHost: string
  /** URL of the installation: scheme and external host. */
  readonly externalUrl: string
  /** MiB of files that each organization may have; null is no limit. */
  readonly uploadQuotaMib: number | null
  /** What calls are held with besides Jitsi; null for nothing. */
  readonly calls: { readonly server: BigBlueButton; readonly links: CallLinks } | null
}
