import { createHash } from 'node:crypto'
import { EmailVisibility } from '@tms/contracts'
import type { Person } from './account.queries.ts'

const GRAVATAR = 'https://secure.gravatar.com/avatar'
const MEDIUM_PX = 500

type Avatar = Pick<Person, 'avatarSource' | 'avatarVersion' | 'deliveryEmail' | 'emailAddressVisibility'>

/**
 * Where a person's avatar is. Every source is a gravatar until avatars can be
 * uploaded.
 */
export function avatarUrlOf(person: Avatar, size: 'normal' | 'medium' = 'normal'): string {
  const hash = createHash('md5').update(person.deliveryEmail.toLowerCase()).digest('hex')
  const pixels = size === 'medium' ? `&s=${MEDIUM_PX}` : ''
  return `${GRAVATAR}/${hash}?d=identicon${pixels}&version=${person.avatarVersion}`
}

/** Whether clients can compute the avatar themselves: a gravatar of an address that everyone may see. */
export function isClientGravatar(person: Avatar): boolean {
  return person.avatarSource === 'G' && person.emailAddressVisibility === EmailVisibility.everyone
}
