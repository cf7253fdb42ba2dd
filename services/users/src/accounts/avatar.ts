import { createHash } from 'node:crypto'
import { EmailVisibility } from '@tms/contracts'
import { avatarFileName } from '../avatars/avatar-files.ts'
import type { Person } from './account.queries.ts'

const GRAVATAR = 'https://secure.gravatar.com/avatar'
const MEDIUM_PX = 500

type Avatar = Pick<
  Person,
  'realmId' | 'avatarSource' | 'avatarVersion' | 'avatarFile' | 'deliveryEmail' | 'emailAddressVisibility'
>
export type AvatarSize = 'normal' | 'medium'

/** Where a person's avatar is; an uploaded one below the organization's address. */
export function avatarUrlOf(person: Avatar, size: AvatarSize = 'normal'): string {
  const { avatarFile, avatarVersion, deliveryEmail, realmId } = person
  if (avatarFile === null) return gravatarUrlOf(deliveryEmail, avatarVersion, size)
  return `/user_avatars/${realmId}/${avatarFileName(avatarFile, size)}?version=${avatarVersion}`
}

/** The picture that gravatar.com has for an address, or makes of it. */
export function gravatarUrlOf(email: string, version: number, size: AvatarSize): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  const pixels = size === 'medium' ? `&s=${MEDIUM_PX}` : ''
  return `${GRAVATAR}/${hash}?d=identicon${pixels}&version=${version}`
}

/** Whether clients can compute the avatar themselves: a gravatar of an address that everyone may see. */
export function isClientGravatar(person: Avatar): boolean {
  return person.avatarSource === 'G' && person.emailAddressVisibility === EmailVisibility.everyone
}
