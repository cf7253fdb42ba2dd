import type { z } from 'zod'
import type { AnyEndpoint } from '../declarations/endpoint.ts'
import { errorDetails } from '../declarations/error-details.ts'
import { commonErrors, type ErrorCode, errorTable, publicCodeOf } from '../declarations/errors.ts'
import { type JsonObject, outputSchemaWithReferences } from './json-schema.ts'

const SECONDS = { schema: { type: 'integer' }, description: 'Seconds after which it is worth trying again.' }
const HEADERS: Readonly<Record<number, JsonObject>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  429: { 'Retry-After': SECONDS },
  503: { 'Retry-After': SECONDS },
}

/** The common envelope of answers (API document, "Common response envelope"), for `components`. */
export function envelopeSchemas(): JsonObject {
  const codes = Object.entries(errorTable).filter(([code]) => publicCodeOf(code as ErrorCode) === code)
  return {
    Success: {
      type: 'object',
      properties: {
        result: { const: 'success' },
        msg: { const: '' },
        ignored_parameters_unsupported: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of parameters that the endpoint does not know; absent when there are none.',
        },
      },
      required: ['result', 'msg'],
    },
    Error: {
      type: 'object',
      properties: {
        result: { const: 'error' },
        msg: { type: 'string', description: 'For people; it may change.' },
        code: { $ref: '#/components/schemas/ErrorCode' },
      },
      required: ['result', 'msg', 'code'],
      allOf: Object.keys(errorDetails).map((code) => ({
        anyOf: [
          { properties: { code: { not: { const: code } } } },
          { $ref: `#/components/schemas/${detailsName(code)}` },
        ],
      })),
    },
    ...Object.fromEntries(
      Object.entries(errorDetails).map(([code, schema]) => [
        detailsName(code),
        {
          ...outputSchemaWithReferences(schema),
          description: `Fields of ${code} beside \`code\` and \`msg\`.`,
          'x-code': code,
        },
      ]),
    ),
    ErrorCode: {
      oneOf: codes.map(([code, { status, message }]) => ({
        const: code,
        description: `HTTP ${status}. ${message}`,
      })),
    },
  }
}

/** `STREAM_DOES_NOT_EXIST` becomes `StreamDoesNotExistDetails`. */
function detailsName(code: string): string {
  const words = code.split('_').map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
  return `${words.join('')}Details`
}

const successes: Readonly<Record<AnyEndpoint['answer'], (endpoint: AnyEndpoint) => JsonObject>> = {
  envelope: envelopeResponse,
  file: fileResponses,
  redirect: redirectResponse,
  page: () => ({ 200: { description: 'A page', content: { 'text/html': {} } } }),
  headers: () => ({ 200: { description: 'Success' } }),
  'event-stream': () => ({ 200: { description: 'Events', content: { 'text/event-stream': {} } } }),
  scim: () => ({ 200: { description: 'Success' } }),
}

/** An operation's answers: success, and its errors by status. */
export function responsesOf(endpoint: AnyEndpoint): JsonObject {
  const responses: JsonObject = successes[endpoint.answer](endpoint)
  const common = codesByStatus(commonErrors)
  for (const [status, codes] of codesByStatus(codesOf(endpoint))) {
    const isCommon = String(common.get(status)) === String(codes)
    responses[status] = isCommon
      ? { $ref: `#/components/responses/${responseName(status)}` }
      : errorResponse(status, codes)
  }
  return responses
}

function envelopeResponse({ response, spectatorResponse }: AnyEndpoint): JsonObject {
  const inEnvelope = (fields: z.ZodType) => ({
    allOf: [{ $ref: '#/components/schemas/Success' }, outputSchemaWithReferences(fields)],
  })
  const schema = spectatorResponse
    ? {
        anyOf: [
          inEnvelope(response),
          { ...inEnvelope(spectatorResponse), description: 'Without credentials.' },
        ],
      }
    : inEnvelope(response)
  return { 200: { description: 'Success', content: { 'application/json': { schema } } } }
}

function redirectResponse(): JsonObject {
  return { 302: { description: 'Where it is', headers: { Location: { schema: { type: 'string' } } } } }
}

/** Range and conditional requests (RFC 9110, 13 and 14) have answers of their own. */
function fileResponses(): JsonObject {
  const content = { '*/*': {} }
  return {
    200: { description: 'The file', content },
    206: { description: 'The part of the file that `Range` asks for', content },
    304: { description: 'The file that the client has is still the same' },
    416: { description: 'The file has no such part' },
  }
}

/** The errors of any endpoint, by status, for `components`. */
export function commonResponses(): JsonObject {
  return Object.fromEntries(
    [...codesByStatus(commonErrors)].map(([status, codes]) => [
      responseName(status),
      errorResponse(status, codes),
    ]),
  )
}

const responseName = (status: number): string => `Error${status}`

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers = HEADERS[status]
  return {
    description: codes.map((code) => `${publicCodeOf(code)}: ${errorTable[code].message}`).join('\n'),
    ...(headers ? { headers } : {}),
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Error',
          properties: { code: { enum: codes.map(publicCodeOf) } },
        },
      },
    },
  }
}

function codesOf({ auth, errors }: AnyEndpoint): Set<ErrorCode> {
  const common = commonErrors.filter((code) => auth !== 'public' || code !== 'UNAUTHORIZED')
  const refusal: ErrorCode[] = auth === 'administrator' || auth === 'owner' ? ['UNAUTHORIZED_PRINCIPAL'] : []
  return new Set<ErrorCode>([...common, ...refusal, ...errors])
}

function codesByStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}
