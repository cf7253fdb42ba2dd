import type { BlobStore } from '@tms/blob-store'
import type { InternalClient, InternalStreams, Pool, PrismaTransact, Tx } from '@tms/service-kit'
import type { BigBlueButton } from './calls/big-blue-button.ts'
import type { CallLinks } from './calls/call-links.ts'
import type { EmojiDocument } from './emoji/get-emoji-data.ts'
import type { ExportLinks } from './exports/export-link.ts'
import type { Prisma, PrismaClient } from './generated/prisma/client.ts'

/** The one transaction type of this service. */
export type PrismaTx = Prisma.TransactionClient & Tx

/** What handlers may use. */
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
  /** Streams to and from other services. */
  readonly streams: InternalStreams
  /** Store of pictures and export archives. */
  readonly blobs: BlobStore
  readonly emojiDocument: EmojiDocument
  readonly exportLinks: ExportLinks
  /** Makes this replica check for waiting exports. */
  readonly wakeExporter: () => void
  /** The weakest role that may have full exports; 0 means nobody. */
  readonly fullExportRole: number
  readonly maxExportsPerWeek: number
  /** A local folder for archives in progress. */
  readonly spoolFolder: string
  readonly now: () => Date
  /** Host and port that clients use. */
  readonly externalHost: string
  /** URL of the installation: scheme and external host. */
  readonly externalUrl: string
  /** MiB of files that each organization may have; null means no limit. */
  readonly uploadQuotaMib: number | null
  /** BigBlueButton, if it is set up. */
  readonly calls: { readonly server: BigBlueButton; readonly links: CallLinks } | null
}
