import { listAnswer, MAX_COUNT } from './answers.rules.ts'
import { type Document, groupSchema, type Schema, userSchema } from './schema.rules.ts'

/** The schemas that resources have. */
const schemas = [userSchema, groupSchema] as const

const off = { supported: false }

/** What the service can do (RFC 7643, 5). */
const toServiceProviderConfig = (baseUrl: string): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: off,
  sort: off,
  etag: off,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an owner of the organization made',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
})

const toResourceType = ({ id, name, description }: Schema, baseUrl: string): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  ...{ id: name, name, description, endpoint: `/${name}s`, schema: id, schemaExtensions: [] },
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
})

const toSchemaResource = ({ id, name, description, attributes }: Schema, baseUrl: string): Document => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...{ id, name, description, attributes },
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
})

/** What the service says of itself at a path; null for another path. */
export function discover(path: string, baseUrl: string): Document | null {
  const [kind, name, ...rest] = path.replace(/\/$/, '').split('/')
  if (rest.length > 0) return null
  if (kind === 'ServiceProviderConfig' && name === undefined) return toServiceProviderConfig(baseUrl)
  const show = kind === 'ResourceTypes' ? toResourceType : kind === 'Schemas' ? toSchemaResource : null
  if (!show) return null
  const all = schemas.map((schema) => show(schema, baseUrl))
  if (name === undefined) return listAnswer(all, { startIndex: 1, total: all.length })
  return all.find(({ id }) => id === name) ?? null
}
