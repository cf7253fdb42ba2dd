import { type AnyEndpoint, AppError, type TokenScope } from '@tms/contracts'
import { type Caller, isLimited } from '@tms/service-kit'

/** Throws TOKEN_SCOPE_REQUIRED, which names the scope, or API_KEY_REQUIRED for an endpoint that accepts no token. */
export function checkTokenScope(
  { tokenAccess }: Pick<AnyEndpoint, 'tokenAccess'>,
  scopes: readonly TokenScope[],
): void {
  if (tokenAccess === null || tokenAccess === 'none') throw new AppError('API_KEY_REQUIRED')
  if (scopes.includes(tokenAccess)) return
  throw new AppError('TOKEN_SCOPE_REQUIRED', {
    message: `This needs an API token with the scope '${tokenAccess}'`,
    details: { scope: tokenAccess },
  })
}

/** Throws TOKEN_LIMITED_TO_CHANNELS if the token is limited to channels, and the endpoint isn't declared for such tokens. */
export function checkTokenChannels(
  { channelParameters }: Pick<AnyEndpoint, 'channelParameters'>,
  caller: Caller,
): void {
  if (isLimited(caller) && channelParameters.length === 0) throw new AppError('TOKEN_LIMITED_TO_CHANNELS')
}
