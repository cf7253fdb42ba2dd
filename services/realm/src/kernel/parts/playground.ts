import type { CodePlayground as CodePlaygroundRecord } from '@tms/contracts'
import type { CodePlayground } from '../../generated/prisma/client.ts'

/** A code playground as clients receive it, with the language under both names. */
export function showPlayground({ id, name, language, urlTemplate }: CodePlayground): CodePlaygroundRecord {
  return {
    id,
    name,
    highlighter_language: language,
    pygments_language: language,
    url_template: urlTemplate,
  }
}
