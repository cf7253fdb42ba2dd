import type { RealmProjection } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/** What work on resources may use. */
export interface Provisioning {
  readonly context: Context
  readonly realm: RealmProjection
  /** Address of the resources, without a slash at its end. */
  readonly baseUrl: string
  readonly requestId: string
  readonly log: Logger
}
