import type { Owner } from './create-organization.ts'

/**
 * Explains in a log how to sign in to the first organization of a deployment. Logs are kept and read by many people,
 * so the key is logged only once, when the account is new; afterwards it can be fetched with the password.
 */
export function describeSignIn(address: string, email: string, owner: Owner | null): string {
  const api = `${address}/api/v1`
  if (!owner)
    return `Address   ${api}
There are people already, and ${email} is none of them: nothing was created.`
  if (!owner.isNew)
    return `Address   ${api}
E-mail    ${owner.email}
The account was there already. Its key is what its password gets:
curl ${api}/fetch_api_key --data-urlencode username=${owner.email} --data-urlencode password=...`
  return `Address   ${api}
E-mail    ${owner.email}
Password  ${owner.password}
API key   ${owner.apiKey}`
}
