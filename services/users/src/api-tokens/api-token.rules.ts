import { AppError, badRequest, limits, type TokenScope } from '@tms/contracts'

/** An hour: a token may be used many times a second. */
const RECORDED_EVERY_MS = 3_600_000

/** The name as it is stored. Throws BAD_REQUEST if it is blank or too long. */
export function checkTokenName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw badRequest('The name of an API token cannot be blank')
  if ([...trimmed].length > limits.maxApiTokenNameLength)
    throw badRequest(`The name of an API token can have at most ${limits.maxApiTokenNameLength} characters`)
  return trimmed
}

/** The scopes without repetitions, in the order of their declaration. */
export function distinctScopes(all: readonly TokenScope[], scopes: readonly TokenScope[]): TokenScope[] {
  return all.filter((scope) => scopes.includes(scope))
}

/** Throws BAD_REQUEST for a token that is to administer, although it is limited to channels: nothing would be left of that. */
export function checkLimitedScopes(scopes: readonly TokenScope[]): void {
  if (scopes.includes('administer'))
    throw badRequest("An API token that is limited to channels cannot have the scope 'administer'")
}

/** Throws BAD_REQUEST if an account has no room for another token. */
export function checkTokenCount(count: number): void {
  if (count >= limits.maxApiTokens)
    throw badRequest(`An account can have at most ${limits.maxApiTokens} API tokens; revoke one first`)
}

/** Whether the last use is to be recorded anew. */
export function isUseDue(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS
}

/** Also for those of other users, whose IDs are nobody's business. */
export const noSuchTokenError = (): AppError =>
  new AppError('NO_SUCH_OBJECT', { message: 'API token does not exist' })
