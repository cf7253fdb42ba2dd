import { type ProviderSettings, Role } from '@tms/contracts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { ProvenPerson } from './provider.ts'

/** What a provider says about somebody, by name. */
export type Claims = Readonly<Record<string, unknown>>

type Rules = Pick<ProviderSettings, 'roles' | 'profile_fields'>

/** Whether a claim says that an address is verified. Only `true` does, and what a provider is known to write for it. */
export function isVerified(claim: unknown, others: readonly unknown[] = []): boolean {
  return claim === true || others.includes(claim)
}

/** The address of a claim; null without a valid one. */
export function readAddress(claim: unknown): string | null {
  const address = typeof claim === 'string' ? claim.trim() : ''
  return isEmail(address) ? address : null
}

/** The name; without one, what its parts give. */
export function readName(claims: Claims, nameClaim = 'name'): string | null {
  const parts = [textOf(claims[nameClaim])]
  if (parts[0] === '') parts.push(textOf(claims['given_name']), textOf(claims['family_name']))
  return parts.filter((part) => part !== '').join(' ') || null
}

/** What claims decide about an account. */
export function readDecisions(
  claims: Claims,
  { roles, profile_fields }: Rules,
): Pick<ProvenPerson, 'role' | 'decidesAboutOwners' | 'profile'> {
  const profile = Object.entries(profile_fields).map(
    ([field, claim]) => [field, textsOf(claims[claim])[0] ?? null] as const,
  )
  return {
    role: roles === undefined ? null : readRole(claims, roles),
    decidesAboutOwners: Object.values(roles?.values ?? {}).includes('owner'),
    profile: new Map(profile),
  }
}

/** The highest of the roles that the values give. */
function readRole(
  claims: Claims,
  { attribute, values, otherwise }: NonNullable<ProviderSettings['roles']>,
): number {
  const present = textsOf(claims[attribute])
  const given = Object.entries(values).flatMap(([value, role]) => (present.includes(value) ? Role[role] : []))
  return given.length === 0 ? Role[otherwise] : Math.min(...given)
}

const textOf = (claim: unknown): string => (typeof claim === 'string' ? claim.trim() : '')

/** A claim's values, of which there may be one or a list. */
const textsOf = (claim: unknown): string[] =>
  [claim].flat().flatMap((value) => {
    const text = typeof value === 'number' ? String(value) : textOf(value)
    return text === '' ? [] : text
  })
