import { createHash } from 'node:crypto'
import type { Realm } from './realm.queries.ts'

/** URL of the organization's square picture: an identicon, as long as none can be uploaded. */
export function iconUrlOf({ stringId }: Pick<Realm, 'stringId'>): string {
  const hash = createHash('md5').update(stringId).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`
}
