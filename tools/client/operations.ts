// The operations of the OpenAPI document, for the generated client.
import { METHODS, type OpenApi, type OpenApiOperation, type Schema } from './documents.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const IGNORED = 'ignored_parameters_unsupported'

interface Parameter {
  schema: Schema
  isRequired: boolean
  /** Whether it is sent as JSON. */
  isJson: boolean
}

interface Operation {
  name: string
  method: string
  path: string
  parameters: Record<string, Parameter>
  documentation: string[]
  /** Null for a file. */
  answerSchema: Schema | null
  takesIdempotencyKey: boolean
  isLongPoll: boolean
}

/** Every operation with its method and path, its parameters by name, and the schema of its answer. */
export function listOperations({ paths, servers }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const prefix = (item.servers ?? servers)[0].url.replace(/\/$/, '')
    return METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [createOperation(method.toUpperCase(), `${prefix}${path}`, operation)] : []
    })
  })
}

function createOperation(method: string, path: string, operation: OpenApiOperation): Operation {
  const { operationId: name, summary, description, requestBody, responses } = operation
  const content = requestBody?.content ?? {}
  const media = content[MULTIPART] ?? content[FORM]
  const parameters: Record<string, Parameter> = {}
  for (const parameter of operation.parameters.filter(({ in: location }) => location !== 'header')) {
    const json = parameter.content?.[JSON_TYPE]
    parameters[parameter.name] = {
      schema: addDescription(json?.schema ?? parameter.schema ?? {}, parameter.description),
      isRequired: parameter.required,
      isJson: json !== undefined,
    }
  }
  for (const [field, schema] of Object.entries(media?.schema.properties ?? {})) {
    parameters[field] = {
      schema,
      isRequired: media?.schema.required?.includes(field) ?? false,
      isJson: media?.encoding?.[field]?.contentType.includes(JSON_TYPE) ?? false,
    }
  }
  return {
    ...{ name, method, path, parameters },
    documentation: [summary, description].filter((text) => text !== undefined),
    answerSchema: getAuthenticatedAnswer(responses[200]?.content?.[JSON_TYPE]?.schema ?? null),
    takesIdempotencyKey: operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    isLongPoll: operation['x-long-poll'] === true,
  }
}

/** The schema for calls with credentials, which the client has; it comes before the one for calls without. */
const getAuthenticatedAnswer = (schema: Schema | null) => schema?.anyOf?.[0] ?? schema

const addDescription = (schema: Schema, description: string | undefined) =>
  description === undefined ? schema : { ...schema, description }

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const hasParameters = ({ parameters }: Operation) => Object.keys(parameters).length > 0

const answerName = ({ name }: Operation) => `${capitalize(name)}Answer`
const parametersName = ({ name }: Operation) => `${capitalize(name)}Parameters`

/** Schemas of answers, by their type names in the client; of the envelope they have only the ignored parameters. */
export function answerSchemas(operations: Operation[], { components }: OpenApi): Record<string, Schema> {
  const ignored = components.schemas.Success?.properties?.[IGNORED]
  const ofEnvelope: Record<string, Schema> = ignored === undefined ? {} : { [IGNORED]: ignored }
  const answers = operations
    .filter(hasAnswer)
    .map((operation) => [
      answerName(operation),
      { ...ownAnswer(operation), properties: { ...ownAnswer(operation)?.properties, ...ofEnvelope } },
    ])
  return {
    ...Object.fromEntries(answers),
    Acknowledgement: {
      type: 'object',
      description: 'An answer without fields of its own.',
      properties: ofEnvelope,
    },
  }
}

/** Schemas of parameters, by their type names in the client. */
export function parameterSchemas(operations: Operation[]): Record<string, Schema> {
  return Object.fromEntries(
    operations
      .filter(hasParameters)
      .map((operation) => [parametersName(operation), parametersSchema(operation)]),
  )
}

function parametersSchema({ parameters }: Operation): Schema {
  const entries = Object.entries(parameters)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  }
}

/** An answer without the envelope. */
const ownAnswer = ({ answerSchema }: Operation) => answerSchema?.allOf?.[1]

function hasAnswer(operation: Operation): boolean {
  const own = ownAnswer(operation)
  return own !== undefined && (Object.keys(own.properties ?? {}).length > 0 || 'additionalProperties' in own)
}

/** The interface with a method for each operation. */
export function operationInterface(operations: Operation[]): string {
  const answers = ['Acknowledgement', ...operations.filter(hasAnswer).map(answerName)]
  const parameters = operations.filter(hasParameters).map(parametersName)
  const methods = operations.map((operation) => {
    const lines = [...operation.documentation, '', `\`${operation.method} ${operation.path}\``]
    const isOptional = Object.values(operation.parameters).every(({ isRequired }) => !isRequired)
    const type = hasParameters(operation) ? parametersName(operation) : 'NoParameters'
    return [
      '  /**',
      ...lines.flatMap((line) => line.split('\n')).map((line) => `   * ${line}`.trimEnd()),
      '   */',
      `  ${operation.name}(parameters${isOptional ? '?' : ''}: ${type}, options?: CallOptions): Promise<${formatAnswerType(operation)}>`,
    ].join('\n')
  })
  return [
    "import type { CallOptions, NoParameters } from '../call-options.ts'",
    formatImport(answers, './answers.ts'),
    formatImport(parameters, './parameters.ts'),
    '',
    '/** Every operation of the API, by its name in the OpenAPI document. */',
    `export interface Operations {\n${methods.join('\n\n')}\n}`,
    '',
  ].join('\n')
}

/** The interface of error details by error code. */
export function errorInterface({ components }: OpenApi): string {
  const details = Object.entries(components.schemas).filter(([, schema]) => 'x-code' in schema)
  return [
    formatImport(
      details.map(([name]) => name),
      './answers.ts',
    ),
    '',
    '/** Fields of errors with details, by error code. */',
    'export interface ErrorDetails {',
    ...details.map(([name, schema]) => `  ${schema['x-code']}: ${name}`),
    '}',
    '',
  ].join('\n')
}

const formatImport = (names: string[], path: string) =>
  `import type {\n${names
    .sort()
    .map((name) => `  ${name},`)
    .join('\n')}\n} from '${path}'`

function formatAnswerType(operation: Operation): string {
  if (operation.answerSchema === null) return 'Response'
  return hasAnswer(operation) ? answerName(operation) : 'Acknowledgement'
}

/** Whether a value may be a string. The client sends all other values as JSON anyway. */
function mayBeText({ type, anyOf, oneOf, enum: values }: Schema): boolean {
  const options = anyOf ?? oneOf
  if (options) return options.some(mayBeText)
  if (values) return values.some((value) => typeof value === 'string')
  return type === undefined || [type].flat().includes('string')
}

/** The table that the client uses at run time to send requests. */
export function operationTable(operations: Operation[]): string {
  const rows = operations.map((operation) => {
    const { name, method, path, parameters, takesIdempotencyKey, isLongPoll, answerSchema } = operation
    const entries = Object.entries(parameters)
    const json = entries
      .filter(([, { isJson, schema }]) => isJson && mayBeText(schema))
      .map(([field]) => field)
    const row = {
      ...{ method, path },
      ...(json.length > 0 ? { json } : {}),
      ...(answerSchema === null ? { returnsFile: true } : {}),
      ...(takesIdempotencyKey ? { takesIdempotencyKey } : {}),
      ...(isLongPoll ? { isLongPoll } : {}),
    }
    return `  ${name}: ${JSON.stringify(row)},`
  })
  return [
    "import type { Operation } from '../operation.ts'",
    "import type { Operations } from './operations.ts'",
    '',
    'export const operationTable: Readonly<Record<keyof Operations, Operation>> = {',
    ...rows,
    '}',
    '',
  ].join('\n')
}
