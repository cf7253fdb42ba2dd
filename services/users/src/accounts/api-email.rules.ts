import { EmailVisibility } from '@tms/contracts'
import { isEmail } from './email-address.rules.ts'

/** For organizations at an address that no e-mail address can end in, such as one of IPv6. No mail goes there. */
const DOMAIN_WITHOUT_HOST = 'users.invalid'

/** The address by which the API knows a person: the delivery e-mail if everyone may see that, else one of the ID. */
export function apiEmailOf(
  person: { readonly id: number; readonly deliveryEmail: string; readonly emailAddressVisibility: number },
  realmUrl: string,
): string {
  if (person.emailAddressVisibility === EmailVisibility.everyone) return person.deliveryEmail
  const { hostname } = new URL(realmUrl)
  const address = `user${person.id}@${hostname}`
  return isEmail(address) ? address : `user${person.id}@${DOMAIN_WITHOUT_HOST}`
}
