import { EmailVisibility, emailHostOf, emailOfId } from '@tms/contracts'

/** The address by which the API knows a person: the delivery e-mail if everyone may see that, else one of the ID. */
export function apiEmailOf(
  person: { readonly id: number; readonly deliveryEmail: string; readonly emailAddressVisibility: number },
  realmUrl: string,
): string {
  if (person.emailAddressVisibility === EmailVisibility.everyone) return person.deliveryEmail
  return emailOfId(person.id, emailHostOf(new URL(realmUrl).hostname))
}
