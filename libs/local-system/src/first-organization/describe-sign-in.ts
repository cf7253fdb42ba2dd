import type { Owner } from './create-organization.ts'

/**
 * How one signs in to the first organization of a deployment, for a log. Logs are kept and read by many, so the key is in it
 * once, when the account is new: whoever missed it gets it with the password.
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
