import { EmailVisibility, emailHostOf, emailOfId } from '@tms/contracts'

/** The address that the API shows: the delivery e-mail if everyone may see it, else one derived from the ID. */
export function apiEmailOf(
  account: { readonly id: number; readonly deliveryEmail: string; readonly emailAddressVisibility: number },
  realmUrl: string,
): string {
  if (account.emailAddressVisibility === EmailVisibility.everyone) return account.deliveryEmail
  return emailOfId(account.id, emailHostOf(new URL(realmUrl).hostname))
}
