import { AppError } from '@tms/contracts'
import { type Provisioner, userTokenReuseMs } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { RateLimits } from '../limits/rate-limits.ts'

/** Organizations whose signed tokens are cached. */
const MAX_TOKENS = 1_000
/** Longer ones aren't compared. */
const MAX_TOKEN_LENGTH = 200

/** A provisioning system as users has identified it, with the token that authenticates it to services. */
export interface IdentifiedProvisioner {
  readonly realmId: number
  readonly token: string
}

/** Identifies provisioning systems, which manage the accounts of an organization by SCIM. */
export interface Provisioners {
  /**
   * Rejects with UNAUTHORIZED for a wrong token, and that of another organization than the host's, RATE_LIMIT_HIT, or
   * SERVICE_UNAVAILABLE if users is unavailable.
   */
  find(request: ProvisionerRequest): Promise<IdentifiedProvisioner>
}

interface ProvisionerRequest {
  readonly authorization: string | undefined
  readonly host: string
  readonly clientIp: string
  readonly requestId: string
}

interface ProvisionersOptions {
  /** Calls the users service. Rejects with its error, or SERVICE_UNAVAILABLE. */
  readonly identify: (from: { host: string; token: string }, requestId: string) => Promise<number>
  readonly signToken: (provisioner: Provisioner) => string
  /** Slows down guessing, by the client's address. */
  readonly limits: Pick<RateLimits, 'refuseGuessing' | 'countFailure'>
}

/** Caches signed tokens only, and queries users for each request: a replaced token ends with the answer to its replacement. */
export function createProvisioners({ identify, signToken, limits }: ProvisionersOptions): Provisioners {
  const tokens = new LRUCache<number, string>({ max: MAX_TOKENS, ttl: userTokenReuseMs })
  const tokenOf = (realmId: number): string => {
    const known = tokens.get(realmId)
    if (known !== undefined) return known
    const token = signToken({ userId: null, realmId, isProvisioner: true })
    tokens.set(realmId, token)
    return token
  }
  return {
    find: async ({ authorization, host, clientIp, requestId }) => {
      await limits.refuseGuessing(clientIp)
      try {
        const realmId = await identify({ host, token: parseBearer(authorization) }, requestId)
        return { realmId, token: tokenOf(realmId) }
      } catch (err) {
        if (!(err instanceof AppError) || err.status >= 500) throw err
        await limits.countFailure(clientIp)
        throw new AppError('UNAUTHORIZED', { message: err.message, cause: err })
      }
    },
  }
}

/** Throws UNAUTHORIZED unless a header has a bearer token. */
function parseBearer(header: string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1]
  if (token === undefined || token.length > MAX_TOKEN_LENGTH)
    throw new AppError('UNAUTHORIZED', { message: 'A bearer token is needed' })
  return token
}
