import { endpoints } from '@tms/contracts'
import type { ApiClient, TestOrganization } from '@tms/test-kit'
import { Schemas } from 'scimmy'
import { expect } from 'vitest'

/** Any JSON object. */
export type Json = Record<string, unknown>

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  /** Empty without a body. */
  readonly body: Json
}

type Organization = Pick<TestOrganization, 'anonymous' | 'owner'>
/** Sends a request of SCIM. `path` is below `/scim/v2`. */
export type Provision = (method: string, path: string, body?: unknown) => Promise<ScimAnswer>

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

let people = 0

/** An address that nobody has, and a name. */
export function newPerson(): { readonly email: string; readonly fullName: string } {
  const number = ++people
  return { email: `person-${number}@provisioned.example`, fullName: `Person No${number}` }
}

/** A provisioning system of an organization, with a new token. */
export async function provisioningOf(organization: Organization): Promise<Provision> {
  const { scim_token } = await organization.owner.call(endpoints.users.createScimToken, {})
  return provisioningBy(organization, `Bearer ${scim_token}`)
}

/** The same with any header. Each answer is checked to be one of SCIM, and each resource by another implementation. */
export function provisioningBy(
  { anonymous }: Pick<Organization, 'anonymous'>,
  authorization: string,
): Provision {
  return async (method, path, body) => {
    const response = await anonymous.fetch(`/scim/v2${path}`, {
      method,
      headers: {
        ...(authorization !== '' && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Json),
    }
    checkAnswer(answer, text)
    return answer
  }
}

function checkAnswer({ status, headers, body }: ScimAnswer, text: string): void {
  if (text !== '') expect(headers.get('content-type')).toBe('application/scim+json')
  if (status >= 400) {
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String),
    })
    return
  }
  for (const resource of (body['Resources'] as Json[] | undefined) ?? [body]) checkResource(resource)
}

/** Throws if a resource isn't as the standard says. */
function checkResource(resource: Json): void {
  const [schema] = (resource['schemas'] as string[] | undefined) ?? []
  // A part of the attributes has no user name.
  if (schema === USER && 'userName' in resource) new Schemas.User(resource, 'out')
  if (schema === GROUP && 'displayName' in resource) new Schemas.Group(resource, 'out')
}

/** The resources that a filter finds. */
export async function findBy(provision: Provision, filter: string, kind: string): Promise<Json[]> {
  const { status, body } = await provision('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  expect({ status, schemas: body['schemas'] }).toEqual({ status: 200, schemas: [LIST] })
  return body['Resources'] as Json[]
}

/** The body of a PATCH. */
export const operations = (...Operations: Json[]): Json => ({ schemas: [PATCH], Operations })

/** A person as Okta sends it. */
export const asOkta = ({ email, fullName }: { email: string; fullName: string }, more: Json = {}): Json => {
  const [givenName, familyName] = fullName.split(' ')
  return {
    schemas: [USER],
    userName: email,
    name: { givenName, familyName },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: fullName,
    locale: 'en-US',
    externalId: `okta of ${email}`,
    groups: [],
    password: 'not used here',
    active: true,
    ...more,
  }
}

/** The client of a person, who signs in without a password. */
export async function clientOf(
  { anonymous }: Pick<Organization, 'anonymous'>,
  email: string,
): Promise<ApiClient> {
  const { api_key, user_id } = await anonymous.call(endpoints.users.devFetchApiKey, { username: email })
  return anonymous.as({ userId: user_id, email, apiKey: api_key })
}

/** Creates a person. */
export async function addPerson(
  provision: Provision,
  more: Json = {},
): Promise<{ id: string; email: string }> {
  const { email, fullName } = newPerson()
  const { status, body } = await provision('POST', '/Users', asOkta({ email, fullName }, more))
  expect({ status, body }).toMatchObject({ status: 201 })
  return { id: String(body['id']), email }
}
