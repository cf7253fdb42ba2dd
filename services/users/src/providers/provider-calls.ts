import { AppError, type ProviderSettings, providerKinds } from '@tms/contracts'
import type { Attempt, BroughtAnswer, Verification } from './provider.ts'

/** Calls of one provider at once, and those that wait: one that hangs keeps nobody longer than some seconds. */
export const PROVIDER_LIMIT = {
  maxAtOnce: 8,
  maxWaiting: 32,
  refusal: 'Too many are signing in at once; try again shortly',
}
const MAX_CAUSES = 5

/** How people know a provider. */
export const nameOf = ({ display_name, kind }: Pick<ProviderSettings, 'display_name' | 'kind'>): string =>
  display_name ?? providerKinds[kind].displayName

export type OpenIdSettings = Exclude<ProviderSettings, { kind: 'github' | 'saml' }>

/** What a provider of OpenID Connect calls itself. */
export const issuerOf = (settings: OpenIdSettings): string =>
  settings.kind === 'microsoft' ? `${settings.issuer}/${settings.tenant}/v2.0` : settings.issuer

/** The URL to which the provider sent the browser, as the library reads it. */
export function broughtUrl({ redirectUri }: Attempt, { state, code, iss }: BroughtAnswer): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ state, code, iss }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** An error that the browser brings: anybody could have written it, so it says nothing but that there is no answer. */
function refusalOf({ error, error_description }: BroughtAnswer): Verification {
  if (error === 'access_denied' || error === 'user_cancelled_authorize') return { kind: 'cancelled' }
  return { kind: 'wrong', cause: new Error(`${error}: ${error_description ?? ''}`.slice(0, 500)) }
}

/** What fails before the browser leaves is the provider's, or its settings', and nothing that people can change. */
export async function asUnavailable<T>(settings: ProviderSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    throw (
      findUnavailability(err) ??
      new AppError('SERVICE_UNAVAILABLE', {
        message: `${nameOf(settings)} can't be used at the moment`,
        cause: err,
      })
    )
  }
}

/** Verifies what a browser brought, unless it is an error. Throws SERVICE_UNAVAILABLE. */
export async function verifyAnswer(
  answer: BroughtAnswer,
  verify: () => Promise<Verification>,
): Promise<Verification> {
  if (answer.error !== undefined) return refusalOf(answer)
  try {
    return await verify()
  } catch (err) {
    const unavailability = findUnavailability(err)
    if (unavailability) throw unavailability
    return { kind: 'wrong', cause: err }
  }
}

/** The failure of a provider that doesn't answer, somewhere among the causes of an error. */
function findUnavailability(err: unknown): AppError | null {
  for (
    let cause = err, depth = 0;
    cause instanceof Error && depth < MAX_CAUSES;
    cause = cause.cause, depth++
  ) {
    if (cause instanceof AppError && cause.code === 'SERVICE_UNAVAILABLE') return cause
  }
  return null
}
