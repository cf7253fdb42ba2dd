import { createHash } from 'node:crypto'
import { EmailVisibility } from '@tms/contracts'
import type { Account } from './account.queries.ts'

const GRAVATAR = 'https://secure.gravatar.com/avatar'
const MEDIUM_PX = 500

type Avatar = Pick<
  Account,
  'realmId' | 'avatarSource' | 'avatarVersion' | 'avatarFile' | 'deliveryEmail' | 'emailAddressVisibility'
>
export type AvatarSize = 'normal' | 'medium'

/** URL of the user's avatar. The URL of an uploaded avatar is relative to the organization's URL. */
export function avatarUrlOf(account: Avatar, size: AvatarSize = 'normal'): string {
  const { avatarFile, avatarVersion, deliveryEmail, realmId } = account
  if (avatarFile === null) return gravatarUrlOf(deliveryEmail, avatarVersion, size)
  return `/user_avatars/${realmId}/${avatarFileName(avatarFile, size)}?version=${avatarVersion}`
}

/** The file for a size, as in the avatar's URL. */
export function avatarFileName(file: string, size: AvatarSize): string {
  return size === 'medium' ? `${file}-medium.png` : `${file}.png`
}

/** URL of the gravatar of an address; gravatar.com generates one for unknown addresses. */
export function gravatarUrlOf(email: string, version: number, size: AvatarSize): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  const pixels = size === 'medium' ? `&s=${MEDIUM_PX}` : ''
  return `${GRAVATAR}/${hash}?d=identicon${pixels}&version=${version}`
}

/** Whether clients can compute the avatar URL: it is a gravatar, and everyone may see the address. */
export function isClientGravatar(account: Avatar): boolean {
  return account.avatarSource === 'G' && account.emailAddressVisibility === EmailVisibility.everyone
}
