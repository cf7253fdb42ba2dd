import type { Loop } from '@tms/service-kit'

export interface GuestVisibilityPublisher extends Loop {
  /**
   * Resolves once users has applied all changes of an organization up to this one, which must be committed; if users
   * doesn't answer, after `timeoutMs`.
   */
  waitUntilPublished(change: { realmId: number; number: number }, timeoutMs: number): Promise<void>
  /** The same for every change that is committed now. */
  waitUntilAllPublished(timeoutMs: number): Promise<void>
}
