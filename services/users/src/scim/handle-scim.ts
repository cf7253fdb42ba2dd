import { buffer } from 'node:stream/consumers'
import { AppError, type endpoints } from '@tms/contracts'
import { decodeUtf8, type Handler, parseJson, type Request, ScimAnswer } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { readListQuery, readSelection, select } from './answers.rules.ts'
import { changePerson, deletePerson, getPerson } from './change-person.ts'
import { createPerson } from './create-person.ts'
import { discover } from './discovery.rules.ts'
import { readId } from './document.rules.ts'
import { patchGroup, replaceGroup, toGroupResource } from './group.rules.ts'
import { listGroups } from './list-groups.ts'
import { listPeople } from './list-people.ts'
import { readOperations } from './patch.rules.ts'
import { patchPerson, replacePerson, toUserResource } from './person.rules.ts'
import { changeGroup, deleteGroup, getGroup, provisionGroup } from './provision-group.ts'
import { type Document, groupSchema, isDocument, userSchema } from './schema.rules.ts'
import type { Provisioning } from './scim-context.ts'
import { invalidSyntax, noSuchResource } from './scim-errors.ts'
import { scimUrlOf } from './scim-token.ts'

const MAX_BYTES = 1024 * 1024

type Endpoints = typeof endpoints.users
type ScimRequest = Pick<
  Request<Endpoints['patchScimResource'], Context>,
  'caller' | 'context' | 'requestId' | 'log' | 'headers' | 'receiveBytes'
> & { readonly input: { readonly path: string } & Document }

/** What a path names: a list of resources, one of them, or a search. */
interface Place {
  readonly kind: 'Users' | 'Groups'
  readonly name: string | null
}

export const handleGetScimResources: Handler<Endpoints['getScimResources'], Context> = async (request) => {
  const { path } = request.input
  const provisioning = await begin(request)
  const found = discover(path, provisioning.baseUrl)
  if (found) return new ScimAnswer(200, found)
  const { kind, name } = placeAt(path)
  if (name === null) return new ScimAnswer(200, await list(provisioning, kind, request.input))
  return answerWith(await get(provisioning, kind, name), request.input)
}

export const handleCreateScimResource: Handler<Endpoints['createScimResource'], Context> = async (
  request,
) => {
  const { kind, name } = placeAt(request.input.path)
  if (name !== null && name !== '.search') throw notAllowed()
  const [provisioning, body] = [await begin(request), await readBody(request)]
  if (name === '.search') return new ScimAnswer(200, await list(provisioning, kind, body))
  const { baseUrl } = provisioning
  const resource =
    kind === 'Users'
      ? toUserResource(await createPerson(provisioning, body), baseUrl)
      : toGroupResource(await provisionGroup(provisioning, body), baseUrl)
  return answerWith(resource, request.input, 201)
}

export const handleReplaceScimResource: Handler<Endpoints['replaceScimResource'], Context> = async (
  request,
) => {
  const { kind, id } = resourceAt(request.input.path)
  const [provisioning, body] = [await begin(request), await readBody(request)]
  const { baseUrl } = provisioning
  const resource =
    kind === 'Users'
      ? toUserResource(await changePerson(provisioning, id, (now) => replacePerson(now, body)), baseUrl)
      : toGroupResource(await changeGroup(provisioning, id, (now) => replaceGroup(now, body)), baseUrl)
  return answerWith(resource, request.input)
}

export const handlePatchScimResource: Handler<Endpoints['patchScimResource'], Context> = async (request) => {
  const { kind, id } = resourceAt(request.input.path)
  const [provisioning, body] = [await begin(request), await readBody(request)]
  const { baseUrl } = provisioning
  const operations = readOperations(body, kind === 'Users' ? userSchema : groupSchema)
  const resource =
    kind === 'Users'
      ? toUserResource(await changePerson(provisioning, id, (now) => patchPerson(now, operations)), baseUrl)
      : toGroupResource(await changeGroup(provisioning, id, (now) => patchGroup(now, operations)), baseUrl)
  return answerWith(resource, request.input)
}

export const handleDeleteScimResource: Handler<Endpoints['deleteScimResource'], Context> = async (
  request,
) => {
  const { kind, id } = resourceAt(request.input.path)
  const provisioning = await begin(request)
  await (kind === 'Users' ? deletePerson(provisioning, id) : deleteGroup(provisioning, id))
  return new ScimAnswer(204, null)
}

async function begin({
  caller: { realmId },
  context,
  requestId,
  log,
}: Pick<ScimRequest, 'caller' | 'context' | 'requestId' | 'log'>): Promise<Provisioning> {
  const realm = await getRealm(context, realmId)
  return { context, realm, baseUrl: scimUrlOf(realm), requestId, log }
}

const list = (provisioning: Provisioning, kind: Place['kind'], parameters: Document): Promise<Document> =>
  (kind === 'Users' ? listPeople : listGroups)(provisioning, readListQuery(parameters))

async function get(provisioning: Provisioning, kind: Place['kind'], name: string): Promise<Document> {
  const { baseUrl } = provisioning
  const id = readId(name)
  return kind === 'Users'
    ? toUserResource(await getPerson(provisioning, id), baseUrl)
    : toGroupResource(await getGroup(provisioning, id), baseUrl)
}

function answerWith(resource: Document, parameters: Document, status: 200 | 201 = 200): ScimAnswer {
  const { location } = resource['meta'] as { location: string }
  const body = select(resource, readSelection(parameters))
  return new ScimAnswer(status, body, status === 201 ? location : null)
}

/** Throws NO_SUCH_OBJECT, or NOT_IMPLEMENTED for parts of SCIM that the service doesn't have. */
function placeAt(path: string): Place {
  const [kind = '', name, ...rest] = path.replace(/\/$/, '').split('/')
  if (['Bulk', 'Me', '.search'].includes(kind)) throw new AppError('NOT_IMPLEMENTED')
  if ((kind !== 'Users' && kind !== 'Groups') || rest.length > 0) throw noSuchResource()
  return { kind, name: name ?? null }
}

function resourceAt(path: string): { readonly kind: Place['kind']; readonly id: number | null } {
  const { kind, name } = placeAt(path)
  if (name === null || name === '.search') throw notAllowed()
  return { kind, id: readId(name) }
}

const notAllowed = (): AppError =>
  new AppError('METHOD_NOT_ALLOWED', { message: 'This is not possible here' })

/** Throws UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE or invalidSyntax. */
async function readBody({
  headers,
  receiveBytes,
}: Pick<ScimRequest, 'headers' | 'receiveBytes'>): Promise<Document> {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (!['application/scim+json', 'application/json'].includes(type.trim()))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const text = decodeUtf8(await receiveBytes(MAX_BYTES, buffer))
  const body = asInvalidSyntax(() =>
    parseJson('body', text, { orText: false, expected: () => 'must be JSON' }),
  )
  if (!isDocument(body)) throw invalidSyntax('The body must be an object')
  return body
}

function asInvalidSyntax<T>(read: () => T): T {
  try {
    return read()
  } catch (err) {
    throw err instanceof AppError && err.code === 'BAD_REQUEST' ? invalidSyntax(err.message) : err
  }
}
