import { endpoints } from '@tms/contracts'
import type { Answer, ApiClient, TestDirectory, TestOrganization } from '@tms/test-kit'
import { Attribute, Change } from 'ldapts'

const { fetchApiKey } = endpoints.users

/** Of an attribute; pictures are bytes. */
export type Values = string | string[] | Buffer

/** Somebody in a directory. */
export interface Entry {
  readonly dn: string
  readonly name: string
  readonly password: string
}

/** Adds somebody to a directory. An attribute without values is left out. */
export async function addPerson(
  directory: TestDirectory,
  uid: string,
  attributes: Readonly<Record<string, Values>> = {},
): Promise<Entry> {
  const password = `password of ${uid}`
  const all = {
    objectClass: ['inetOrgPerson'],
    uid,
    sn: uid,
    cn: `Person ${uid}`,
    mail: `${uid}@example.com`,
    userPassword: password,
    ...attributes,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, values]) => values.length > 0))
  return { dn: await directory.add(`uid=${uid},ou=people`, given), name: uid, password }
}

/** Replaces attributes of an entry. */
export function replaceIn(
  directory: TestDirectory,
  dn: string,
  attributes: Readonly<Record<string, Values>>,
): Promise<void> {
  const changes = Object.entries(attributes).map(
    ([type, value]) =>
      new Change({ operation: 'replace', modification: new Attribute({ type, values: listOf(value) }) }),
  )
  return directory.change((client) => client.modify(dn, changes))
}

const listOf = (value: Values): string[] | Buffer[] => (Buffer.isBuffer(value) ? [value] : [value].flat())

export function signIn(
  { anonymous }: Pick<TestOrganization, 'anonymous'>,
  username: string,
  password: string,
): Promise<Answer> {
  return anonymous.send(fetchApiKey, { username, password })
}

/** The client of somebody who signs in. */
export async function signedIn(
  { anonymous }: Pick<TestOrganization, 'anonymous'>,
  username: string,
  password: string,
): Promise<ApiClient> {
  const { api_key, email, user_id } = await anonymous.call(fetchApiKey, { username, password })
  return anonymous.as({ email, apiKey: api_key, userId: user_id })
}
