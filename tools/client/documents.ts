// The parts of the API's documents that the client is generated from.

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  'x-code'?: string
}

type Contents = Record<string, { schema: Schema; encoding?: Record<string, { contentType: string }> }>

export interface OpenApiOperation {
  operationId: string
  summary?: string
  description?: string
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    schema?: Schema
    content?: Contents
  }[]
  requestBody?: { content: Contents }
  responses: Record<string, { content?: Contents }>
  'x-long-poll'?: boolean
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Server {
  url: string
}

export interface OpenApi {
  servers: [Server]
  paths: Record<string, Partial<Record<(typeof METHODS)[number], OpenApiOperation>> & { servers?: [Server] }>
  components: { schemas: Record<string, Schema> }
}

export interface AsyncApi {
  channels: { client_events: { messages: Record<string, { name: string; title: string; payload: Schema }> } }
  components: { schemas: Record<string, Schema> }
}
