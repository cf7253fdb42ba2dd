import type {
  CodePlayground as CodePlaygroundRecord,
  domainEvents,
  PayloadOf,
  RealmProjection,
} from '@tms/contracts'
import type { CodePlayground, Organization } from '../realms/realm.queries.ts'

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

/** Payload of the event after a change of code playgrounds: all of them. */
export function playgroundsPayload(
  projection: RealmProjection,
  { playgrounds }: Organization,
): PayloadOf<typeof domainEvents.realm.playgroundsChanged> {
  return { playgrounds: playgrounds.map(showPlayground), projection }
}
