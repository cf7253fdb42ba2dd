import { EmailVisibility, emailHostOf, emailOfId, type RealmProjection } from '@tms/contracts'

/** The address that the API shows: the delivery e-mail if everyone may see it, else one derived from the ID. */
export function apiEmailOf(
  account: { readonly id: number; readonly deliveryEmail: string; readonly emailAddressVisibility: number },
  realmUrl: string,
): string {
  if (account.emailAddressVisibility === EmailVisibility.everyone) return account.deliveryEmail
  return emailOfId(account.id, emailHostOf(new URL(realmUrl).hostname))
}

/** The ID in an address that `emailOfId` made; null for any other address. */
export function idOfEmail(foldedEmail: string, emailHost: string): number | null {
  const [, digits] = /^user([1-9]\d{0,9})@/.exec(foldedEmail) ?? []
  const id = Number(digits)
  return digits && foldedEmail === emailOfId(id, emailHost) ? id : null
}

/** The folded delivery e-mail of the system bot. */
export function systemBotAddressOf({ url }: Pick<RealmProjection, 'url'>): string {
  return `notification-bot@${new URL(url).hostname}`
}
