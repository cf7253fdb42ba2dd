import { type Client, createClient } from '@tms/client'
import type { AnyEndpoint, Parameter } from '@tms/contracts'
import { type Answer, type ApiClient, answerOf } from '@tms/test-kit'

/** The account's client that is made from the API's documents; what it is answered is compared with them too. */
export function generatedClientOf(api: ApiClient): Client {
  return clientThat(api, api.heardFetch)
}

/** Calls an endpoint by that client, from a sample of its fields as texts. A file is given wherever one is taken. */
export async function askByGenerated(
  api: ApiClient,
  endpoint: AnyEndpoint,
  fields: Readonly<Record<string, string>>,
  file: File,
): Promise<Answer> {
  let heard: Response | null = null
  const client = clientThat(api, async (...request) => {
    const response = await api.heardFetch(...request)
    heard = response.clone()
    return response
  })
  const { pathParameters, parameters } = endpoint
  const values = Object.entries(fields).map(([name, text]) => [
    name,
    valueOf(pathParameters[name] ?? parameters[name], text),
  ])
  const input = { ...Object.fromEntries(values), ...(endpoint.body === 'file' && { filename: file }) }
  await call(client, endpoint, input)
  if (heard === null) throw new Error(`nothing was sent to ${endpoint.name}`)
  return answerOf(heard)
}

function clientThat({ baseUrl, account }: ApiClient, send: typeof fetch): Client {
  const credentials = account === null ? {} : { email: account.email, apiKey: account.apiKey }
  return createClient({ url: baseUrl, ...credentials, fetch: send, retries: 0 })
}

/** A refusal is an answer too. */
async function call(client: Client, { name }: AnyEndpoint, input: Record<string, unknown>): Promise<void> {
  // To the document, and so to clients, it is `getUser` with an address in place of the ID.
  const [operation, values] =
    name === 'getUserByEmail'
      ? ['getUser', { ...input, user_id: input['email'], email: undefined }]
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
