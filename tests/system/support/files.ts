import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiError, type TestSystem, type UploadedFile } from '@tms/test-kit'

/** Uploads a file and returns its URL, without the host. Throws if that fails. */
export async function uploadTo(client: ApiClient, file: Partial<UploadedFile> = {}): Promise<string> {
  const answer = await client.upload({ name: 'a file.txt', content: 'hello', type: 'text/plain', ...file })
  if (answer.status !== 200) throw new ApiError('uploadFile', answer)
  return String(answer.body['url'])
}

/** A temporary URL of a file, without the host. */
export async function temporaryUrlOf(client: ApiClient, url: string): Promise<string> {
  const answer = await client.request('GET', url)
  if (answer.status !== 200) throw new ApiError('getTemporaryUrl', answer)
  return String(answer.body['url'])
}

export const listOwn = (client: ApiClient) => client.call(endpoints.messaging.listAttachments, {})

/** The number of files in the store, including incomplete ones. */
export async function countStored({ system }: TestSystem): Promise<number> {
  const entries = await readdir(fileURLToPath(system.uploadsUrl), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

/** Resident memory of the messaging replicas in bytes, each. */
export function memoryOfMessaging({ system }: TestSystem): Promise<number[]> {
  return Promise.all(
    system.urls.messaging.map(async (url) => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/^process_resident_memory_bytes\{.*\} (\S+)$/m.exec(metrics)?.[1])
    }),
  )
}
