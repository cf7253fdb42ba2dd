import { z } from 'zod'

/** What Google's key files of service accounts have, as far as it is used. */
const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
  token_uri: z.url(),
})
export type ServiceAccount = z.output<typeof serviceAccount>

/** Reads a key file. Throws if it is none. */
export function parseServiceAccount(text: string): ServiceAccount {
  try {
    return serviceAccount.parse(JSON.parse(text))
  } catch (err) {
    throw new Error('FCM_SERVICE_ACCOUNT is not the JSON of a key of a service account', { cause: err })
  }
}
