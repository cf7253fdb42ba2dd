import { hkdfSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { TemporaryUrls } from '../kernel/context.ts'
import { nameInUrl, UPLOADS_PATH } from './path-id.rules.ts'

/** Long enough to start a download, short enough that a leaked URL is useless. */
const VALID_SECONDS = 60

const AUDIENCE = 'temporary upload URL'

/** Replicas with the same secret accept each other's URLs. */
export function createTemporaryUrls(secret: string): TemporaryUrls {
  const key = Buffer.from(hkdfSync('sha256', secret, '', AUDIENCE, 32))
  return {
    urlOf: (pathId) => {
      const options = { algorithm: 'HS256', audience: AUDIENCE, expiresIn: VALID_SECONDS } as const
      const token = jwt.sign({}, key, { ...options, subject: pathId })
      return `${UPLOADS_PATH}temporary/${token}/${encodeURIComponent(nameInUrl(pathId))}`
    },
    pathIdOf: (token) => {
      try {
        const claims = jwt.verify(token, key, { algorithms: ['HS256'], audience: AUDIENCE })
        return typeof claims === 'string' ? null : (claims.sub ?? null)
      } catch {
        return null
      }
    },
  }
}
