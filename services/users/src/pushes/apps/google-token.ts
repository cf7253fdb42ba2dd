import type { PostOutward } from '@tms/service-kit'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { ServiceAccount } from './service-account.ts'

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
/** The longest that Google accepts. */
const VALID_SECONDS = 3_600
const RENEWED_BEFORE_MS = 300_000

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number() })

/** Tokens for calls of Google's services. */
export interface GoogleToken {
  /** The current one. Throws if Google gives none. */
  get(): Promise<string>
  /** Has the next call fetch another. */
  forget(): void
}

/** Fetches tokens for a service account (RFC 7523), one at a time, and keeps each until shortly before its end. */
export function createGoogleToken(account: ServiceAccount, post: PostOutward, now: () => Date): GoogleToken {
  let current: { readonly token: string; readonly renewAt: number } | null = null
  let fetching: Promise<string> | null = null

  const fetchToken = async (): Promise<string> => {
    const issuedAt = Math.floor(now().getTime() / 1_000)
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ typ: 'JWT', alg: 'RS256' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + VALID_SECONDS)
      .sign(await importPKCS8(account.private_key, 'RS256'))
    const { status, body } = await post({
      url: account.token_uri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      }).toString(),
    })
    if (status !== 200) throw new Error(`Google's token endpoint answered ${status}`)
    const { access_token, expires_in } = tokenAnswer.parse(JSON.parse(body))
    current = { token: access_token, renewAt: now().getTime() + expires_in * 1_000 - RENEWED_BEFORE_MS }
    return access_token
  }
  return {
    get: async () => {
      if (current && current.renewAt > now().getTime()) return current.token
      fetching ??= fetchToken().finally(() => {
        fetching = null
      })
      return fetching
    },
    forget: () => {
      current = null
    },
  }
}
