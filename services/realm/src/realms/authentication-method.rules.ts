import { type AuthenticationMethod, authenticationMethodNames, badRequest } from '@tms/contracts'

/**
 * The methods that are off after a request, which names those to switch. Throws BAD_REQUEST for a method that the
 * installation doesn't offer, and if none that it offers would be on.
 */
export function disableMethods(
  requested: Readonly<Record<string, boolean>>,
  available: readonly AuthenticationMethod[],
  disabled: readonly string[],
): string[] {
  const unknown = Object.keys(requested).find((name) => !available.some((known) => known === name))
  if (unknown !== undefined)
    throw badRequest(`Invalid authentication method: ${unknown}. Valid methods are: ${available.join(', ')}`)
  const off = authenticationMethodNames.filter((name) => !(requested[name] ?? !disabled.includes(name)))
  const namesOne = Object.values(requested).includes(true)
  if (!namesOne || available.every((name) => off.includes(name)))
    throw badRequest('At least one authentication method must be enabled.')
  return off
}
