import { readLines } from '@tms/service-kit'

/** The records of the organization's service, with another subdomain in the first of them. */
export async function* moveOrganization(
  content: AsyncIterable<Uint8Array>,
  subdomain: string,
): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const line of readLines(content)) {
    yield Buffer.from(`${isFirst ? moved(line, subdomain) : line}\n`)
    isFirst = false
  }
}

/** What is no organization stays what it is, for the service to say so. */
function moved(line: string, string_id: string): string {
  const record = JSON.parse(line) as { kind?: unknown }
  return record.kind === 'organization' ? JSON.stringify({ ...record, string_id }) : line
}
