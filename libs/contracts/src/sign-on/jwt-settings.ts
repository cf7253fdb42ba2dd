import { z } from 'zod'
import { secret, filledText as text } from './setting-parts.ts'

/** Shared secrets, and pairs of keys whose public half is here. */
const shared = ['HS256', 'HS384', 'HS512'] as const
const paired = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const
export const jwtAlgorithms = [...shared, ...paired] as const
export type JwtAlgorithm = (typeof jwtAlgorithms)[number]

export const isSharedKey = (algorithm: JwtAlgorithm): boolean =>
  (shared as readonly string[]).includes(algorithm)

/** Tokens by which another site of an organization signs its users in. */
export const jwtIssuer = z.strictObject({
  /** Its subdomain, the empty one for the default organization. */
  organization: z.string(),
  /** The only one that tokens may have. */
  algorithm: z.enum(jwtAlgorithms),
  /** A secret of 32 bytes or more, or a public key (PEM). */
  key: secret,
  /** `iss` of tokens; absent: any. */
  issuer: text.optional(),
  /** `aud` of tokens; absent: the organization's URL, if a token has any. */
  audience: text.optional(),
  /** How long before its `exp` a token may be used. */
  max_age_seconds: z.int().min(10).max(3_600).default(300),
})
export type JwtIssuerSettings = z.output<typeof jwtIssuer>

/** Refuses two issuers of one organization, and one key for two: a token for one would sign in to the other. */
export function refuseSharedIssuers(ctx: z.RefinementCtx, issuers: readonly JwtIssuerSettings[]): void {
  for (const [index, one] of issuers.entries()) {
    const earlier = issuers.slice(0, index)
    const refuse = (key: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: ['jwt', index, key], message })
    if (earlier.some(({ organization }) => organization === one.organization))
      refuse('organization', 'is taken by another entry')
    if (earlier.some(({ key }) => JSON.stringify(key) === JSON.stringify(one.key)))
      refuse('key', 'is that of another organization, whose tokens would count here too')
  }
}
