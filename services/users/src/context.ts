import type { BlobStore } from '@tms/blob-store'
import type {
  InternalClient,
  LimitConcurrency,
  Pool,
  ProjectionReplay,
  Publisher,
  Redis,
} from '@tms/service-kit'
import type { CheckPasswordStrength } from './credentials/password-strength.rules.ts'
import type { Passwords } from './credentials/passwords.ts'
import type { Prisma, PrismaClient } from './generated/prisma/client.ts'
import type { PresenceStore } from './presence/presence-store.ts'
import type { RealmDirectory } from './realms/realm-directory.ts'
import type { ShareText } from './register-state/shared-texts.ts'
import type { UserListCache } from './user-list-cache/people-texts.ts'

/** The transaction type of everything that writes. */
export type PrismaTx = Prisma.TransactionClient

/** What handlers may use. */
export interface Context {
  readonly prisma: PrismaClient
  /** For reads of many rows, where Prisma takes twice as long; never inside a Prisma transaction. */
  readonly db: Pool
  /**
   * Runs `work` in one transaction. Once that is committed and its changes are in force everywhere, it resolves and their events are
   * published. Rejects with SERVICE_UNAVAILABLE where that can't be known.
   */
  readonly transact: <T>(work: (tx: PrismaTx) => Promise<T>) => Promise<T>
  readonly realms: RealmDirectory
  /** Has what is known of organizations compared with what they are. */
  readonly projectionReplay: Pick<ProjectionReplay, 'start' | 'describe'>
  readonly passwords: Passwords
  readonly checkPasswordStrength: CheckPasswordStrength
  /** Whether anyone may have anyone's key, as on servers for development. */
  readonly hasDevelopmentLogin: boolean
  readonly passwordAttempts: { readonly max: number; readonly windowSeconds: number }
  readonly invitationLimits: {
    readonly validityMinutes: number
    /** 0 is no limit, as below. */
    readonly perDay: number
    readonly perDayOfNewRealms: number
    readonly minAgeDays: number
  }
  /** Of mails that people without an account ask for. */
  readonly mailLimits: { readonly perHour: number; readonly perDay: number; readonly perIpPerDay: number }
  /** Whether outgoing webhooks may call this machine, and private networks. */
  readonly webhooks: { readonly allowsPrivate: boolean }
  /** Calls other services. */
  readonly call: InternalClient
  /** What may be lost with it is kept there, and nothing else. */
  readonly redis: Redis
  readonly presence: PresenceStore
  readonly userListCache: UserListCache
  readonly shareText: ShareText
  /** Of register's states, which are large: others' requests go on meanwhile. */
  readonly inTurnOfStates: LimitConcurrency
  /** Tells what passes by, past the outbox. */
  readonly publisher: Publisher
  /** Pictures of people. */
  readonly blobs: BlobStore
  readonly now: () => Date
}
