// The operations of the OpenAPI document, for the generated client.

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation with its method and path, its parameters by name, and the schema of its answer. */
export function listOperations({ paths, servers }) {
  return Object.entries(paths).flatMap(([path, item]) => {
    const prefix = (item.servers ?? servers)[0].url.replace(/\/$/, '')
    return METHODS.filter((method) => item[method]).map((method) =>
      createOperation(method.toUpperCase(), `${prefix}${path}`, item[method]),
    )
  })
}

function createOperation(method, path, operation) {
  const { operationId: name, summary, description, requestBody, responses } = operation
  const content = requestBody?.content ?? {}
  const media = content[MULTIPART] ?? content[FORM]
  const parameters = {}
  for (const parameter of operation.parameters.filter(({ in: location }) => location !== 'header')) {
    const json = parameter.content?.[JSON_TYPE]
    parameters[parameter.name] = {
      schema: addDescription(json?.schema ?? parameter.schema, parameter.description),
      isRequired: parameter.required,
      isJson: json !== undefined,
    }
  }
  for (const [field, schema] of Object.entries(media?.schema.properties ?? {})) {
    parameters[field] = {
      schema,
      isRequired: media.schema.required?.includes(field) ?? false,
      isJson: media.encoding?.[field]?.contentType.includes(JSON_TYPE) ?? false,
    }
  }
  return {
    ...{ name, method, path, parameters, responses },
    documentation: [summary, description].filter((text) => text !== undefined),
    answerSchema: getAuthenticatedAnswer(responses[200]?.content?.[JSON_TYPE]?.schema ?? null),
    takesIdempotencyKey: operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    isLongPoll: operation['x-long-poll'] === true,
  }
}

/** The schema for calls with credentials, which the client has; it comes before the one for calls without. */
const getAuthenticatedAnswer = (schema) => schema?.anyOf?.[0] ?? schema

const addDescription = (schema, description) =>
  description === undefined ? schema : { ...schema, description }

const capitalize = (name) => name[0].toUpperCase() + name.slice(1)
const hasParameters = ({ parameters }) => Object.keys(parameters).length > 0

const answerName = ({ name }) => `${capitalize(name)}Answer`
const parametersName = ({ name }) => `${capitalize(name)}Parameters`

/** Schemas of answers, by their type names in the client. */
export function answerSchemas(operations, { components }) {
  const { ignored_parameters_unsupported } = components.schemas.Success.properties
  const answers = operations
    .filter(hasAnswer)
    .map((operation) => [
      answerName(operation),
      createAnswerSchema(operation.answerSchema, ignored_parameters_unsupported),
    ])
  return {
    ...Object.fromEntries(answers),
    Acknowledgement: {
      type: 'object',
      description: 'An answer without fields of its own.',
      properties: { ignored_parameters_unsupported },
    },
  }
}

/** Schemas of parameters, by their type names in the client. */
export function parameterSchemas(operations) {
  return Object.fromEntries(
    operations
      .filter(hasParameters)
      .map((operation) => [parametersName(operation), parametersSchema(operation)]),
  )
}

function parametersSchema({ parameters }) {
  const entries = Object.entries(parameters)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  }
}

/** An answer's own fields, and of the envelope only the ignored parameters. */
function createAnswerSchema({ allOf: [, schema] }, ignored_parameters_unsupported) {
  return { ...schema, properties: { ...schema.properties, ignored_parameters_unsupported } }
}

function hasAnswer({ answerSchema }) {
  const own = answerSchema?.allOf[1]
  return own !== undefined && (Object.keys(own.properties ?? {}).length > 0 || 'additionalProperties' in own)
}

/** The interface with a method for each operation. */
export function operationInterface(operations) {
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
export function errorInterface({ components }) {
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

const formatImport = (names, path) =>
  `import type {\n${names
    .sort()
    .map((name) => `  ${name},`)
    .join('\n')}\n} from '${path}'`

function formatAnswerType(operation) {
  if (operation.answerSchema === null) return 'Response'
  return hasAnswer(operation) ? answerName(operation) : 'Acknowledgement'
}

/** Whether a value may be a string. The client sends all other values as JSON anyway. */
function mayBeText({ type, anyOf, oneOf, enum: values }) {
  const options = anyOf ?? oneOf
  if (options) return options.some(mayBeText)
  if (values) return values.some((value) => typeof value === 'string')
  return type === undefined || [type].flat().includes('string')
}

/** The table that the client uses at run time to send requests. */
export function operationTable(operations) {
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
