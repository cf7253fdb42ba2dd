import { readFileSync } from 'node:fs'
import type { HttpExchange } from '@tms/test-kit'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Operation {
  readonly operationId: string
  /** Empty if no credentials are required. */
  readonly security?: readonly object[]
  readonly parameters: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, object>> }>
  >
}

interface Path {
  readonly pattern: RegExp
  readonly template: string
  /** The number of segments with any value. */
  readonly openSegments: number
  readonly operations: Readonly<Record<string, Operation>>
}

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url)
const SERVER = '/api/v1'
/** The maximum of reported faults: one is enough to investigate. */
const MAX_FAULTS = 20
const URL_TOO_LONG = 431

/** Compares responses with the OpenAPI document, and uses nothing but that document. */
export class DocumentedAnswers {
  readonly faults: string[] = []
  readonly #answered = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #paths: readonly Path[]
  readonly #validators = new Map<string, ValidateFunction | null>()
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })

  constructor() {
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> }
    this.#ajv.addSchema(document, 'document')
    this.#paths = Object.entries(document.paths).map(([template, item]) => pathOf(template, item))
  }

  /** Operations that never succeeded, or never failed. */
  unseen(): { answers: string[]; refusals: string[] } {
    const all = this.#paths.flatMap(({ operations }) => Object.values(operations))
    const missingIn = (seen: ReadonlySet<string>, operations: readonly Operation[]) =>
      operations.map(({ operationId }) => operationId).filter((id) => !seen.has(id))
    return {
      answers: missingIn(this.#answered, all),
      refusals: missingIn(this.#refused, all.filter(canRefuse)),
    }
  }

  check({ method, path, answer }: HttpExchange): void {
    const found = this.#find(method, path)
    // A request line that is too long is not a request to any operation.
    if (!found || answer.status === URL_TOO_LONG) return
    const { operation, pointer } = found
    const seen = answer.status < 400 ? this.#answered : this.#refused
    seen.add(operation.operationId)
    const fault = this.#faultOf(answer, operation, `${pointer}/responses/${answer.status}`)
    if (fault && this.faults.length < MAX_FAULTS) {
      this.faults.push(
        `${method} ${path.slice(0, 100)}: ${fault} in ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`,
      )
    }
  }

  #faultOf(answer: HttpExchange['answer'], { responses }: Operation, pointer: string): string | null {
    const response = responses[answer.status]
    if (!response) return 'this status is not documented'
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return null
    // A file may have any content, including JSON.
    if (response.content && !('application/json' in response.content)) return null
    const validate = this.#validatorOf(response.$ref?.slice(1) ?? pointer)
    if (!validate || validate(answer.body)) return null
    const errors = validate.errors ?? []
    // An event may have many forms; errors about the other forms are omitted.
    const specific = errors.filter(({ keyword }) => keyword !== 'const' && keyword !== 'anyOf')
    return this.#ajv.errorsText(specific.length > 0 ? specific : errors)
  }

  #validatorOf(pointer: string): ValidateFunction | null {
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      const $ref = `document#${pointer}/content/application~1json/schema`
      validate = this.#ajv.compile({ $ref })
      this.#validators.set(pointer, validate)
    }
    return validate
  }

  /** If several paths match, the most specific one. */
  #find(method: string, path: string): { operation: Operation; pointer: string } | null {
    const fitting = this.#paths
      .filter(({ pattern, operations }) => pattern.test(path) && operations[method.toLowerCase()])
      .sort((a, b) => a.openSegments - b.openSegments)
    const [first] = fitting
    const operation = first?.operations[method.toLowerCase()]
    if (!first || !operation) return null
    const escaped = encodeURIComponent(first.template.replaceAll('~', '~0').replaceAll('/', '~1'))
    return { operation, pointer: `/paths/${escaped}/${method.toLowerCase()}` }
  }
}

function pathOf(template: string, item: object): Path {
  const { servers, ...operations } = item as { servers?: readonly { url: string }[] } & Record<
    string,
    Operation
  >
  const prefix = servers === undefined ? SERVER : ''
  const escaped = template.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return {
    template,
    pattern: new RegExp(`^${prefix}${escaped}$`),
    openSegments: template.split('{').length,
    operations: operations as Record<string, Operation>,
  }
}

/** An operation without input or credentials has nothing to reject. */
const canRefuse = ({ security, parameters, requestBody }: Operation): boolean =>
  security?.length !== 0 || parameters.length > 0 || requestBody !== undefined
