import { createHash } from 'node:crypto'
import type { ProviderSettings } from '@tms/contracts'
import { readAddress, readDecisions } from '../person-claims.rules.ts'
import type { ProvenPerson } from '../provider.ts'
import type { NameId } from './name-id.ts'
import type { Assertion } from './saml-assertion.rules.ts'

export type SamlSettings = Extract<ProviderSettings, { kind: 'saml' }>

const FORMATS = 'urn:oasis:names:tc:SAML:'
const TRANSIENT = `${FORMATS}2.0:nameid-format:transient`
const EMAIL = `${FORMATS}1.1:nameid-format:emailAddress`

/** The person of a verified assertion. Throws if it names nobody who stays the same. */
export function personOf(
  { nameId, sessionIndex, attributes }: Assertion,
  entityId: string,
  settings: SamlSettings,
): ProvenPerson {
  const names = settings.attributes
  const first = (name: string | undefined) => (name === undefined ? undefined : attributes.get(name)?.[0])
  const address = readAddress(names.email === undefined ? nameId.value : first(names.email))
  const parts = [first(names.first_name), first(names.last_name)].filter((part) => part !== undefined)
  return {
    // A provider may have the same name as one of OpenID Connect, where people have other IDs.
    issuer: `saml:${entityId}`,
    subject: names.id === undefined ? subjectOf(nameId, settings) : idOf(first(names.id), names.id),
    addresses: address === null ? [] : [address],
    deadAddresses: [],
    fullName: first(names.full_name) ?? (parts.join(' ') || null),
    ...readDecisions(Object.fromEntries(attributes), settings),
    ...(names.organizations !== undefined && { mayEnter: attributes.get(names.organizations) ?? [] }),
    session: sessionOf(nameId, sessionIndex, entityId),
  }
}

/** By what a log-out finds the sessions of a person. */
export const personKeyOf = (entityId: string, { value }: Pick<NameId, 'value'>): string =>
  createHash('sha256').update(`${entityId}\n${value}`).digest('base64url')

/** What a session needs to end at the provider, and to be ended by it. */
function sessionOf(
  nameId: NameId,
  sessionIndex: string | null,
  entityId: string,
): Readonly<Record<string, string>> {
  const all = {
    person: personKeyOf(entityId, nameId),
    name_id: nameId.value,
    name_id_format: nameId.format,
    name_qualifier: nameId.nameQualifier,
    sp_name_qualifier: nameId.spNameQualifier,
    session_index: sessionIndex,
  }
  return Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value ? [[key, value]] : [])))
}

function subjectOf({ value, format }: NameId, settings: SamlSettings): string {
  if (format === TRANSIENT)
    throw new Error('the name ID is another one at each sign-in: set attributes.id, or name_id_format')
  const isAddress = format === EMAIL || settings.attributes.email === undefined
  return isAddress ? value.toLowerCase() : value
}

function idOf(value: string | undefined, attribute: string): string {
  if (value === undefined) throw new Error(`the assertion has no attribute ${attribute}`)
  return value
}
