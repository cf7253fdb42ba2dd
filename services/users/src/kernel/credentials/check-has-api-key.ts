import { AppError } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'

/** Throws API_KEY_REQUIRED for a caller with an API token: who can do `what` has the account for good. */
export function checkHasApiKey({ tokenId }: Pick<Caller, 'tokenId'>, what: string): void {
  if (tokenId !== undefined)
    throw new AppError('API_KEY_REQUIRED', { message: `An API token cannot ${what}; use your API key` })
}
