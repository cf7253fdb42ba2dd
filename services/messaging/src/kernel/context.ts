import type { BlobStore } from '@tms/blob-store'
import type { GroupSettingValue, UserProjection } from '@tms/contracts'
import type { Loop, Pool, ProjectionReplay, Publish, Publisher, Queryable, Tx } from '@tms/service-kit'
import type { PropagateEffects } from './effects/effects.ts'
import type { GuestVisibilityPublisher } from './guest-visibility/guest-visibility-publisher.ts'
import type { MessageStore } from './messages/new-message.ts'
import type { TopicQuestion, TopicTarget } from './messages/posting-target.queries.ts'
import type { ProjectionReader } from './projections/projection-reader.ts'
import type { Renderer } from './rendering/renderer.ts'

/** What handlers may use. */
export interface Context {
  readonly db: Pool
  /** Projections of users and organizations. */
  readonly projections: ProjectionReader
  /** Starts a repair of the projections. */
  readonly projectionReplay: Pick<ProjectionReplay, 'start' | 'describe'>
  /** Stores a user that users sent, unless a newer version is known. */
  readonly applyUser: (tx: Tx, user: UserProjection) => Promise<void>
  /** Loads all users and groups of an organization again. Throws SERVICE_UNAVAILABLE if users does not answer. */
  readonly loadMissingUsers: (realmId: number) => Promise<void>
  /** Throws BAD_REQUEST for a value that names a user or group that the organization doesn't have. */
  readonly checkGroupSettings: (realmId: number, values: readonly GroupSettingValue[]) => Promise<void>
  /** Creates an incoming webhook of a user. Throws BAD_REQUEST, and UNAUTHORIZED_PRINCIPAL without permission. */
  readonly createIncomingWebhook: (bot: {
    readonly realmId: number
    readonly ownerId: number
    readonly fullName: string
    readonly integration: string
  }) => Promise<{ readonly user_id: number; readonly api_key: string }>
  readonly renderer: Renderer
  readonly searches: Searches
  /** Finds topics for messages to send. */
  readonly topicTargets: TopicTargets
  readonly messages: MessageStore
  readonly publish: Publish<'messaging'>
  /** For events that are not stored, without the outbox. */
  readonly publisher: Publisher
  readonly now: () => Date
  /** The bytes of uploaded files. */
  readonly blobs: BlobStore
  /** Wake it right after each commit that deleted files. */
  readonly blobDeletion: Pick<Loop, 'wake'>
  /** Wake it after a commit that may have changed guest visibility, if no request waits for its publication. */
  readonly guestVisibility: Pick<GuestVisibilityPublisher, 'wake' | 'waitUntilAllPublished'>
  /** Call it between the commit and the answer of a request that changed data for users or realm. */
  readonly propagateEffects: PropagateEffects
  /** Wake it right after each commit that added calls of outgoing webhooks. */
  readonly webhookCalls: Pick<Loop, 'wake'>
  /** Wake it right after each webhook delivery that has to wait. */
  readonly waitingDeliveries: Pick<Loop, 'wake'>
  /** Of one bot. */
  readonly maxWaitingDeliveries: number
  /** Note users right after each commit that marked messages as read for them. */
  readonly pushRemovals: { note(userId: number): void }
  readonly temporaryUrls: TemporaryUrls
  /** Organizations have subdomains of this host. */
  readonly externalHost: string
  /** Per organization; null for no quota. */
  readonly uploadQuotaBytes: number | null
}

/** Finds channels with a topic of each. */
export interface TopicTargets {
  /** Reads them, for those who ask at the same time by one statement. */
  find(question: TopicQuestion): Promise<TopicTarget | null>
  /**
   * What was found for the same question before, which may have changed since: it is only good for a message that is stored if
   * its `revision` and version are still the same, and no reason to refuse one. Null if there is none.
   */
  recall(question: TopicQuestion): TopicTarget | null
}

/** Runs searches within limits of time and connections. */
export interface Searches {
  /**
   * `read` may use its connection only until it returns. Searches of one user run one after the other. Throws
   * BAD_NARROW for a search that takes too long, and SERVICE_UNAVAILABLE if too many are waiting.
   */
  run<T>(userId: number, read: (db: Queryable) => Promise<T>): Promise<T>
}

/** URLs by which anyone may download a file for a minute. */
export interface TemporaryUrls {
  /** A URL for this file, without the host. */
  urlOf(pathId: string): string
  /** Path ID of the file that a token names; null if the token is invalid or has expired. */
  pathIdOf(token: string): string | null
}
