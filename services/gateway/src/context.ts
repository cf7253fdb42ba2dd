import type { Logger } from '@tms/service-kit'
import type { ConnectionGuard } from './connections/connection-guard.ts'
import type { Identities } from './identity/identities.ts'
import type { Provisioners } from './identity/provisioners.ts'
import type { Spectators } from './identity/spectators.ts'
import type { GatewayMetrics } from './kernel/metrics.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import type { ClientAddressing } from './requests/client-address.rules.ts'
import type { Forwarder } from './upstream/forwarder.ts'

/** What request handling may use. */
export interface Context {
  readonly identities: Identities
  readonly spectators: Spectators
  readonly provisioners: Provisioners
  /** Authenticates the pending polls of these users again. */
  readonly authenticatePolls: (userIds: readonly number[]) => void
  readonly limits: RateLimits
  readonly forwarder: Forwarder
  /** A token for unauthenticated callers, for public endpoints. */
  readonly anonymousToken: () => string
  readonly addressing: ClientAddressing
  readonly guard: ConnectionGuard
  /** Maximum number of headers of a request. */
  readonly maxHeaders: number
  /** How long a request may take to come. */
  readonly answerTimeoutMs: number
  readonly metrics: GatewayMetrics
  readonly log: Logger
}
