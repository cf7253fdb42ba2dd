import type { RecordKind } from './record-kind.ts'
import { andConsents, isMessage, isUser, JOIN_EXPORTED, withConsent } from './record-parts.queries.ts'

/** Reading positions of users; none for a user whose message was deleted. */
export const pointerKind: RecordKind<'pointer'> = {
  kind: 'pointer',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select p.user_id, p.message_id
      from known_users u
      join pointers p on p.user_id = u.user_id
      join messages m on m.id = p.message_id
      ${scope === 'consent' ? JOIN_EXPORTED : ''}
     where u.realm_id = $1
       ${andConsents(scope, 'p.user_id')}
     order by p.user_id`,
  columns: 'user_id bigint, message_id bigint',
  belongsToRealm: `${isUser('imported.user_id')} and ${isMessage('imported.message_id')}`,
  store: `
  inserted as (
    insert into pointers (user_id, message_id)
    select user_id, message_id
      from valid
  )`,
}
