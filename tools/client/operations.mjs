// The operations of the OpenAPI document, as the client needs them.

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation with its place, its parameters by name, whichever way they travel, and the schema of its answer. */
export function operationsOf({ paths, servers }) {
  return Object.entries(paths).flatMap(([path, item]) => {
    const prefix = (item.servers ?? servers)[0].url.replace(/\/$/, '')
    return METHODS.filter((method) => item[method]).map((method) =>
      operationOf(method.toUpperCase(), `${prefix}${path}`, item[method]),
    )
  })
}

function operationOf(method, path, operation) {
  const { operationId: name, summary, description, requestBody, responses } = operation
  const content = requestBody?.content ?? {}
  const media = content[MULTIPART] ?? content[FORM]
  const parameters = {}
  for (const parameter of operation.parameters.filter(({ in: place }) => place !== 'header')) {
    const json = parameter.content?.[JSON_TYPE]
    parameters[parameter.name] = {
      schema: described(json?.schema ?? parameter.schema, parameter.description),
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
    answerSchema: answerToUsers(responses[200]?.content?.[JSON_TYPE]?.schema ?? null),
    isRepeatable: operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    isHeld: operation['x-held'] === true,
  }
}

/** The client always has credentials; what is answered without them comes second. */
const answerToUsers = (schema) => schema?.anyOf?.[0] ?? schema

const described = (schema, description) => (description === undefined ? schema : { ...schema, description })

const capitalized = (name) => name[0].toUpperCase() + name.slice(1)
const hasParameters = ({ parameters }) => Object.keys(parameters).length > 0

const answerName = ({ name }) => `${capitalized(name)}Answer`
const parametersName = ({ name }) => `${capitalized(name)}Parameters`

/** Schemas of answers, by the names that they have in the client. */
export function answerSchemas(operations, { components }) {
  const { ignored_parameters_unsupported } = components.schemas.Success.properties
  const answers = operations
    .filter(hasAnswer)
    .map((operation) => [
      answerName(operation),
      answerOf(operation.answerSchema, ignored_parameters_unsupported),
    ])
  return {
    ...Object.fromEntries(answers),
    Acknowledgement: {
      type: 'object',
      description: 'What is answered where there is nothing to tell.',
      properties: { ignored_parameters_unsupported },
    },
  }
}

/** Schemas of parameters, likewise. */
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

/** The envelope's part of an answer is the same everywhere, but for what was ignored. */
function answerOf({ allOf: [, schema] }, ignored_parameters_unsupported) {
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
      `  ${operation.name}(parameters${isOptional ? '?' : ''}: ${type}, options?: CallOptions): Promise<${answerType(operation)}>`,
    ].join('\n')
  })
  return [
    "import type { CallOptions, NoParameters } from '../call-options.ts'",
    importOf(answers, './answers.ts'),
    importOf(parameters, './parameters.ts'),
    '',
    '/** Every operation of the API, by its name in the OpenAPI document. */',
    `export interface Operations {\n${methods.join('\n\n')}\n}`,
    '',
  ].join('\n')
}

/** The interface of what errors have beside their text, by their code. */
export function errorInterface({ components }) {
  const details = Object.entries(components.schemas).filter(([, schema]) => 'x-code' in schema)
  return [
    importOf(
      details.map(([name]) => name),
      './answers.ts',
    ),
    '',
    '/** What the errors that say more than their text say, by their code. */',
    'export interface ErrorDetails {',
    ...details.map(([name, schema]) => `  ${schema['x-code']}: ${name}`),
    '}',
    '',
  ].join('\n')
}

const importOf = (names, path) =>
  `import type {\n${names
    .sort()
    .map((name) => `  ${name},`)
    .join('\n')}\n} from '${path}'`

function answerType(operation) {
  if (operation.answerSchema === null) return 'Response'
  return hasAnswer(operation) ? answerName(operation) : 'Acknowledgement'
}

/** Of everything but text the client sees by itself that it travels as JSON. */
function mayBeText({ type, anyOf, oneOf, enum: values }) {
  const options = anyOf ?? oneOf
  if (options) return options.some(mayBeText)
  if (values) return values.some((value) => typeof value === 'string')
  return type === undefined || [type].flat().includes('string')
}

/** What the client needs to know of each operation when it runs. */
export function operationTable(operations) {
  const rows = operations.map((operation) => {
    const { name, method, path, parameters, isRepeatable, isHeld, answerSchema } = operation
    const entries = Object.entries(parameters)
    const json = entries
      .filter(([, { isJson, schema }]) => isJson && mayBeText(schema))
      .map(([field]) => field)
    const row = {
      ...{ method, path },
      ...(json.length > 0 ? { json } : {}),
      ...(answerSchema === null ? { givesFile: true } : {}),
      ...(isRepeatable ? { isRepeatable } : {}),
      ...(isHeld ? { isHeld } : {}),
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
