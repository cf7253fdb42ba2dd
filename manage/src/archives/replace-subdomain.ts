import { readLines } from '@tms/service-kit'

/** The records of the realm service, with another subdomain in the first record, the organization. */
export async function* replaceSubdomain(
  content: AsyncIterable<Uint8Array>,
  subdomain: string,
): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const line of readLines(content)) {
    yield Buffer.from(`${isFirst ? replaceInRecord(line, subdomain) : line}\n`)
    isFirst = false
  }
}

/** Leaves any other record unchanged, which the service then rejects. */
function replaceInRecord(line: string, string_id: string): string {
  const record = JSON.parse(line) as { kind?: unknown }
  return record.kind === 'organization' ? JSON.stringify({ ...record, string_id }) : line
}
