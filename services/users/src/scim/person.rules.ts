import { Role } from '@tms/contracts'
import { foldEmail, isEmail } from '../kernel/addresses/email-address.rules.ts'
import { checkLength, externalIdOf, readDocument, textOf } from './document.rules.ts'
import { applyOperations, type Operation } from './patch.rules.ts'
import { type Document, isDocument, ROLES, userSchema } from './schema.rules.ts'
import { forbidden, invalidValue } from './scim-errors.ts'

/** What provisioning may say of a person. */
export interface PersonState {
  readonly userName: string
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly externalId: string | null
}

/** A person with an account. */
export interface ProvisionedPerson extends PersonState {
  readonly id: number
  readonly dateJoined: Date
}

const roleNames = new Map<number, string>(ROLES.map((name) => [Role[name], name]))

/** A person as a resource. */
export function toUserResource(person: ProvisionedPerson, baseUrl: string): Document {
  const time = person.dateJoined.toISOString()
  const { externalId } = person
  return {
    schemas: [userSchema.id],
    id: String(person.id),
    ...(externalId !== null && { externalId }),
    ...toDocument(person),
    meta: {
      resourceType: 'User',
      created: time,
      lastModified: time,
      location: `${baseUrl}/Users/${person.id}`,
    },
  }
}

function toDocument({ userName, email, fullName, role, isActive }: PersonState): Document {
  const [givenName = '', ...rest] = fullName.split(' ')
  return {
    userName,
    name: { formatted: fullName, givenName, ...(rest.length > 0 && { familyName: rest.join(' ') }) },
    displayName: fullName,
    emails: [{ value: email, type: 'work', primary: true }],
    active: isActive,
    role: roleNames.get(role) ?? 'member',
  }
}

/** The state that a new resource describes. Throws invalidValue. */
export function readNewPerson(body: Document): PersonState {
  const document = readDocument(body, userSchema)
  const userName = userNameOf(document)
  const email = emailOf(document) ?? (isEmail(userName) ? userName : null)
  if (email === null) throw invalidValue("'emails' must have an address, or 'userName' be one")
  const fullName = fullNameOf(document)
  if (fullName === null) throw invalidValue("'displayName' or 'name' must have a name")
  return {
    ...{ userName, email, fullName, role: roleOf(document) ?? Role.member },
    isActive: document['active'] !== false,
    externalId: externalIdOf(document),
  }
}

/** The state after a resource was replaced; what isn't in it stays. Throws invalidValue. */
export function replacePerson(present: PersonState, body: Document): PersonState {
  const document = readDocument(body, userSchema)
  const userName = userNameOf(document)
  const email = emailOf(document)
  return {
    userName,
    email: email === null ? followedEmail(present, userName) : (otherEmail(present, email) ?? present.email),
    fullName: fullNameOf(document) ?? present.fullName,
    role: roleOf(document) ?? present.role,
    isActive: (document['active'] as boolean | undefined) ?? present.isActive,
    externalId: externalIdOf(document) ?? present.externalId,
  }
}

/** The state after these operations. Throws invalidValue, noTarget or mutability. */
export function patchPerson(present: PersonState, operations: readonly Operation[]): PersonState {
  const before = { ...toDocument(present), externalId: present.externalId }
  const after = applyOperations(before, operations)
  const userName = userNameOf(after)
  return {
    userName,
    email: otherEmail(present, emailOf(after)) ?? followedEmail(present, userName),
    fullName: changedName(before, after) ?? present.fullName,
    role: roleOf(after) ?? present.role,
    isActive: (after['active'] as boolean | null) ?? present.isActive,
    externalId: externalIdOf(after),
  }
}

/** Whether provisioning may make this of an account: owners stay owners, and keep their addresses. Throws FORBIDDEN. */
export function checkMayProvision(present: PersonState, wanted: PersonState): void {
  if (wanted.role !== present.role && [wanted.role, present.role].includes(Role.owner))
    throw forbidden('Provisioning neither gives nor takes the role of an owner')
  if (wanted.email !== present.email && present.role === Role.owner)
    throw forbidden('Provisioning does not change the e-mail address of an owner')
}

/** The name to store; null if it is the address. */
export function ownUserName({ userName, email }: PersonState): string | null {
  return foldEmail(userName) === foldEmail(email) ? null : userName
}

export function isSameState(one: PersonState, other: PersonState): boolean {
  const names = ['email', 'fullName', 'role', 'isActive', 'externalId'] as const
  return (
    foldEmail(one.userName) === foldEmail(other.userName) && names.every((name) => one[name] === other[name])
  )
}

/** A new address; null if it is the present one, in whatever case. */
const otherEmail = (present: PersonState, email: string | null): string | null =>
  email !== null && foldEmail(email) !== foldEmail(present.email) ? email : null

/** An address as user name was given as one, so a new one is the new address. */
function followedEmail(present: PersonState, userName: string): string {
  const isNew = foldEmail(userName) !== foldEmail(present.userName)
  return isNew && ownUserName(present) === null && isEmail(userName) ? userName : present.email
}

function userNameOf({ userName }: Document): string {
  const name = typeof userName === 'string' ? userName.trim() : ''
  if (name === '') throw invalidValue("'userName' is required")
  return checkLength('userName', name)
}

/** The address that is used: the primary one, else that of work, else the first. */
function emailOf({ emails }: Document): string | null {
  const list = (Array.isArray(emails) ? emails : []).filter(isDocument)
  const addresses = list.filter(({ value }) => typeof value === 'string' && value.trim() !== '')
  const chosen =
    addresses.find(({ primary }) => primary === true) ??
    addresses.find(({ type }) => String(type).toLowerCase() === 'work') ??
    addresses[0]
  return chosen ? String(chosen['value']).trim() : null
}

function fullNameOf({ displayName, name }: Document): string | null {
  const { formatted } = isDocument(name) ? name : { formatted: null }
  return textOf(displayName) ?? textOf(formatted) ?? joinedName(name)
}

function joinedName(name: unknown): string | null {
  const { givenName, familyName }: Document = isDocument(name) ? name : {}
  return textOf([textOf(givenName), textOf(familyName)].filter((part) => part !== null).join(' '))
}

/** The full name by the attributes that changed; null if none did. */
function changedName(before: Document, after: Document): string | null {
  const [old, now] = [before, after].map(({ displayName, name }) => ({
    display: textOf(displayName),
    formatted: textOf(isDocument(name) ? name['formatted'] : null),
    joined: joinedName(name),
  }))
  for (const part of ['display', 'formatted', 'joined'] as const)
    if (now?.[part] !== old?.[part]) {
      const changed = now?.[part] ?? null
      if (changed !== null) return changed
    }
  return null
}

function roleOf({ role }: Document): Role | null {
  const text = textOf(role)
  if (text === null) return null
  const name = ROLES.find((one) => one === text.toLowerCase())
  if (name === undefined) throw invalidValue(`'role' must be one of ${ROLES.join(', ')}`)
  return Role[name]
}
