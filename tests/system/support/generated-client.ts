import { type Client, createClient } from '@tms/client'
import type { AnyEndpoint, Parameter } from '@tms/contracts'
import { type Answer, type ApiClient, answerOf } from '@tms/test-kit'

/** The account's client that is generated from the API documents; its responses are checked against them too. */
export function generatedClientOf(api: ApiClient): Client {
  return clientThat(api, api.observedFetch)
}

/** Calls an endpoint by that client, with a sample of its fields as texts, and a file if it accepts one. */
export async function callByGeneratedClient(
  api: ApiClient,
  endpoint: AnyEndpoint,
  fields: Readonly<Record<string, string>>,
  file: File,
): Promise<Answer> {
  let received: Response | null = null
  const client = clientThat(api, async (...request) => {
    const response = await api.observedFetch(...request)
    received = response.clone()
    return response
  })
  const { pathParameters, parameters } = endpoint
  const values = Object.entries(fields).map(([name, text]) => [
    name,
    valueOf(pathParameters[name] ?? parameters[name], text),
  ])
  const input = { ...Object.fromEntries(values), ...(endpoint.body === 'file' && { filename: file }) }
  await call(client, endpoint, input)
  if (received === null) throw new Error(`nothing was sent to ${endpoint.name}`)
  return answerOf(received)
}

function clientThat({ baseUrl, account }: ApiClient, send: typeof fetch): Client {
  const credentials = account === null ? {} : { email: account.email, apiKey: account.apiKey }
  return createClient({ url: baseUrl, ...credentials, fetch: send, retries: 0 })
}

/** In the document, and so for clients, these are calls with an address in place of the ID. */
const namesById: Readonly<Record<string, string>> = {
  getUserByEmail: 'getUser',
  updateUserByEmail: 'updateUser',
}

/** An error is a response too. */
async function call(client: Client, { name }: AnyEndpoint, input: Record<string, unknown>): Promise<void> {
  const byId = namesById[name]
  const [operation, values] = byId
    ? [byId, { ...input, user_id: input['email'], email: undefined }]
    : [name, input]
  const method = client[operation as 'getUser'] as ((input: unknown) => Promise<unknown>) | undefined
  if (!method) throw new Error(`the client has no ${operation}`)
  await method(values).catch((err: unknown) => {
    if (!(err instanceof Error && err.name === 'ApiError')) throw err
  })
}

function valueOf(parameter: Parameter | undefined, text: string): unknown {
  if (!parameter || parameter.encoding === 'text') return text
  try {
    return JSON.parse(text)
  } catch (err) {
    if (parameter.encoding === 'text-or-json') return text
    throw err
  }
}
