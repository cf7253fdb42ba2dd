import { type AnyEndpoint, AppError, type TokenScope } from '@tms/contracts'

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
