import type { RecordKind } from './record-kind.ts'
import { isMessage, isUser } from './record-parts.queries.ts'

/** Reading positions of users; none for a user whose message was deleted. */
export const pointerKind: RecordKind<'pointer'> = {
  kind: 'pointer',
  isPersonal: true,
  list: () => `
    select p.user_id, p.message_id
      from known_users u
      join pointers p on p.user_id = u.user_id
      join messages m on m.id = p.message_id
     where u.realm_id = $1
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
