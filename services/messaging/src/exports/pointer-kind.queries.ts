import type { RecordKind } from './record-kind.ts'
import { isMessage, isUser } from './record-parts.queries.ts'

/** Where users are; none for one who is at a message that was deleted. */
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
  isOwn: `${isUser('told.user_id')} and ${isMessage('told.message_id')}`,
  store: `
  made as (
    insert into pointers (user_id, message_id)
    select user_id, message_id
      from valid
  )`,
}
