import type { Linkifier as LinkifierRecord } from '@tms/contracts'
import type { Linkifier } from '../../generated/prisma/client.ts'

/** A linkifier as clients receive it. */
export function showLinkifier({ id, pattern, urlTemplate }: Linkifier): LinkifierRecord {
  return { id, pattern, url_template: urlTemplate }
}
