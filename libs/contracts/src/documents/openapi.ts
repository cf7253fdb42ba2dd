import { type AnyEndpoint, API_PREFIX, type Auth } from '../declarations/endpoint.ts'
import { limits, maxBodyBytesOf, serverVersion } from '../declarations/limits.ts'
import type { Parameter } from '../declarations/parameter.ts'
import { inputSchema, type JsonObject, namedSchemas } from './json-schema.ts'
import { commonResponses, envelopeSchemas, responsesOf } from './openapi-responses.ts'

/** The OpenAPI 3.1 document of the API, generated from the endpoints' declarations. */
export function openApiDocument(endpoints: readonly AnyEndpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints) {
    // Paths that differ only in a parameter's name are one path in OpenAPI: the first name is used for all.
    const path =
      Object.keys(paths).find((existing) => shapeOf(existing) === shapeOf(endpoint.path)) ?? endpoint.path
    const item = (paths[path] ??= endpoint.prefix === '' ? { servers: [{ url: '/' }] } : {})
    const method = endpoint.method.toLowerCase()
    const existing = item[method] as Operation | undefined
    item[method] = existing ? merged(existing, operationOf(endpoint)) : operationOf(endpoint)
  }
  const owners = [...new Set(endpoints.map(({ owner }) => owner))]
  return {
    openapi: '3.1.1',
    info: {
      title: 'Team Messaging Service',
      version: serverVersion.version,
      description: [
        'Parameters are form fields, or query parameters of GET and DELETE; strings are raw text and every',
        'other value is JSON text inside its field. Forms may be multipart too. Fields that an endpoint does not know are named in',
        '`ignored_parameters_unsupported`. A JSON body is not read: 400 where an endpoint has parameters, rather than a success',
        'that changes nothing. OPTIONS says which methods a path has, and GET answers HEAD where it has no effect.',
        'A POST whose form has a field `method` acts as that method, where it comes in the first 16 KiB and before any file; of',
        'GET, the whole form has to.',
        'After a success, every later request sees the change.',
        'Long answers are compressed for clients that accept gzip (`Accept-Encoding`).',
        `Bodies without a file hold at most ${limits.maxRequestBodyBytes} bytes. Feature level ${serverVersion.featureLevel}.`,
      ].join('\n'),
    },
    servers: [{ url: API_PREFIX }],
    tags: owners.map((name) => ({ name, description: `Answered by the ${name} service.` })),
    security: [{ basic: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'API e-mail as user name; API key or API token as password.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token. `x-token-scope` of an operation is the scope that it needs; `none`: it takes the API key alone. Tokens that are limited to channels are accepted where there is `x-token-channels`: the parameters that name the channel.',
        },
      },
      schemas: { ...envelopeSchemas(), ...namedSchemas(endpoints.map(({ response }) => response)) },
      responses: commonResponses(),
    },
  }
}

const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

interface Operation extends JsonObject {
  operationId: string
  summary: string
  parameters: JsonObject[]
}

/** Two endpoints with one method and path, distinguished by what their path parameter accepts. */
function merged(first: Operation, second: Operation): Operation {
  const others = second.parameters.filter((parameter) => parameter['in'] === 'path')
  return {
    ...first,
    summary: `${first.summary}; or: ${second.summary}`,
    'x-also': second.operationId,
    parameters: first.parameters.map((parameter, i) => {
      const other = others[i]
      if (!other || parameter['in'] !== 'path') return parameter
      const description = `\`${String(parameter['name'])}\` or \`${String(other['name'])}\``
      return { ...parameter, description, schema: { anyOf: [parameter['schema'], other['schema']] } }
    }),
  }
}

/** Which callers an endpoint accepts, unless that is any user. */
const CALLERS: Readonly<Record<Auth, string>> = {
  public: '',
  'user-or-spectator':
    'Without credentials it shows web-public channels if the organization allows that (`enable_spectator_access`); otherwise 401.',
  user: '',
  'user-by-key': '',
  administrator: 'Owners and administrators only.',
  owner: 'Owners only.',
  provisioner: '',
}

function operationOf(endpoint: AnyEndpoint): Operation {
  const path = Object.entries(endpoint.pathParameters).map(([name, parameter]) => ({
    ...{ name, in: 'path', required: true },
    ...described(parameter),
    schema: inputSchema(parameter.schema),
  }))
  const isInQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const query = isInQuery
    ? Object.entries(endpoint.parameters).map(([name, parameter]) => queryParameter(name, parameter))
    : []
  const hasBody = !isInQuery && Object.keys(endpoint.parameters).length > 0
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [endpoint.owner],
    ...(endpoint.isLongPoll ? { 'x-long-poll': true } : {}),
    ...(endpoint.auth === 'public' ? { security: [] } : {}),
    ...(endpoint.auth === 'user-or-spectator' ? { security: [{}, { basic: [] }, { bearer: [] }] } : {}),
    ...(endpoint.auth === 'public' ? {} : { 'x-token-scope': endpoint.tokenAccess }),
    ...(endpoint.channelParameters.length === 0 ? {} : { 'x-token-channels': endpoint.channelParameters }),
    ...describedAs([CALLERS[endpoint.auth], endpoint.description ?? '']),
    parameters: [...path, ...query, ...(endpoint.isRepeatable ? [idempotencyKey] : [])],
    ...(hasBody ? { requestBody: formBody(endpoint) } : {}),
    ...(endpoint.body === 'file' ? { requestBody: fileBody(endpoint) } : {}),
    responses: responsesOf(endpoint),
  }
}

/** A client's own name of a request. */
const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Identifies this request, for example by a UUID. A request with the same key within 24 hours gets the first answer and has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function queryParameter(name: string, parameter: Parameter): JsonObject {
  const schema = inputSchema(parameter.schema)
  return {
    ...{ name, in: 'query', required: parameter.required },
    ...described(parameter),
    ...(parameter.encoding === 'json' ? { content: { 'application/json': { schema } } } : { schema }),
  }
}

function formBody({ parameters, body }: AnyEndpoint): JsonObject {
  const entries = Object.entries(parameters)
  const required = entries.filter(([, { required: isRequired }]) => isRequired).map(([name]) => name)
  const contentTypes = {
    text: 'text/plain',
    json: 'application/json',
    'text-or-json': 'application/json, text/plain',
  }
  const properties = propertiesOf(parameters)
  const media = {
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
    },
    encoding: Object.fromEntries(
      entries.map(([name, { encoding }]) => [name, { contentType: contentTypes[encoding] }]),
    ),
  }
  return {
    required: required.length > 0,
    content: {
      'application/x-www-form-urlencoded': media,
      ...(body === 'fields-and-picture' && {
        'multipart/form-data': {
          ...media,
          schema: { ...media.schema, properties: { ...properties, file: picture } },
        },
      }),
    },
  }
}

/** A file among other fields. */
const picture: JsonObject = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: `A picture of at most ${limits.maxPictureMib} MiB, in a field of any name.`,
}

function propertiesOf(parameters: AnyEndpoint['parameters']): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      { ...inputSchema(parameter.schema), ...described(parameter) },
    ]),
  )
}

function fileBody(endpoint: AnyEndpoint): JsonObject {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return {
    required: true,
    description: `Exactly one file of at most ${endpoint.maxFileMib} MiB; a body of at most ${maxBodyBytesOf(endpoint)} bytes.`,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { filename: file, ...propertiesOf(endpoint.parameters) },
          required: ['filename'],
        },
      },
    },
  }
}

function described({ description, aliases }: Parameter): JsonObject {
  return describedAs([description, ...aliases.map((alias) => `Alias: \`${alias}\`.`)])
}

function describedAs(texts: readonly string[]): JsonObject {
  const nonEmpty = texts.filter((text) => text !== '')
  return nonEmpty.length > 0 ? { description: nonEmpty.join(' ') } : {}
}
