import type { BlobStore } from '@tms/blob-store'
import type { Loop, OutboxRelay, Pool, ProjectionReplay, Publish, Publisher } from '@tms/service-kit'
import type { TemporaryUrls } from './attachments/temporary-urls.ts'
import type { Directory } from './directory/directory.ts'
import type { GuestVisibilityPublisher } from './guest-visibility/start-telling.ts'
import type { BringEffects } from './other-services/bring-effects.ts'
import type { Renderer } from './rendering/renderer.ts'
import type { Searches } from './search/searches.ts'

/** What handlers may use. */
export interface Context {
  readonly db: Pool
  /** What messaging knows of users and organizations. */
  readonly directory: Directory
  /** Has what it knows of them compared with what they are. */
  readonly projectionReplay: Pick<ProjectionReplay, 'start' | 'describe'>
  /** Asks anew for all users and groups of an organization. */
  readonly loadMissingUsers: (realmId: number) => Promise<void>
  readonly renderer: Renderer
  readonly searches: Searches
  readonly publish: Publish<'messaging'>
  /** Wake it right after each commit that wrote to the outbox. */
  readonly relay: Pick<OutboxRelay, 'wake'>
  /** For what passes by, past the outbox. */
  readonly publisher: Publisher
  readonly now: () => Date
  /** The bytes of uploaded files. */
  readonly blobs: BlobStore
  /** Wake it right after each commit that deleted files. */
  readonly blobDeletion: Pick<Loop, 'wake'>
  /** Wake it after a commit that may have changed whom guests see, where nobody waits for users to know. */
  readonly guestVisibility: Pick<GuestVisibilityPublisher, 'wake' | 'waitUntilAllPublished'>
  /** Call it between the commit and the answer of a request that changed what users and realm answer by. */
  readonly bringEffects: BringEffects
  /** Wake it right after each commit that has outgoing webhooks called. */
  readonly webhookCalls: Pick<Loop, 'wake'>
  readonly temporaryUrls: TemporaryUrls
  /** Organizations are at its subdomains. */
  readonly externalHost: string
  /** Of each organization; null is none. */
  readonly uploadQuotaBytes: number | null
}
