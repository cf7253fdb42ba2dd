import type { ExportScope } from '@tms/contracts'
import type { RecordKind } from './record-kind.ts'
import { isMessage, isUser, secondsOf } from './record-parts.queries.ts'

/** SQL: links to files in a public export. */
const PUBLIC_LINKS = `
  attachment_messages l
  join messages m on m.id = l.message_id
  join channels c on c.id = m.channel_id and not c.invite_only`

const linksIn = (scope: ExportScope): string => (scope === 'full' ? 'attachment_messages l' : PUBLIC_LINKS)

/** Bytes are transferred separately. */
export const attachmentKind: RecordKind<'attachment'> = {
  kind: 'attachment',
  isPersonal: false,
  list: (scope) => `
    select a.id, a.owner_id, a.path_id, a.name, a.content_type, a.size, ${secondsOf('a.created_at')} as create_time,
           ${secondsOf('a.unused_since')} as unused_since, a.width, a.height
      from attachments a
     where a.realm_id = $1
       ${scope === 'public' ? `and exists (select from ${PUBLIC_LINKS} where l.attachment_id = a.id)` : ''}
     order by a.id`,
  columns: `
    id bigint, owner_id bigint, path_id text, name text, content_type text, size bigint, create_time float8,
    unused_since float8, width integer, height integer`,
  belongsToRealm: `
    ${isUser('imported.owner_id')}
    and imported.path_id ~ ('^' || $1::bigint || '/[0-9a-f]{1,2}/[A-Za-z0-9_-]{24}/[^/]+$')`,
  store: `
  inserted as (
    insert into attachments (id, realm_id, owner_id, path_id, name, content_type, size, created_at, unused_since,
                             width, height)
    overriding system value
    select id, $1, owner_id, path_id, name, content_type, size, to_timestamp(create_time), to_timestamp(unused_since),
           width, height
      from valid
  )`,
  ids: ({ id }) => ({ attachments_id_seq: id }),
}

const isAttachment = (attachmentId: string): string =>
  `exists (select from attachments a where a.id = ${attachmentId} and a.realm_id = $1)`

export const attachmentMessageKind: RecordKind<'attachment_message'> = {
  kind: 'attachment_message',
  isPersonal: false,
  list: (scope) => `
    select l.attachment_id, l.message_id
      from attachments a
     cross join lateral (
             select l.attachment_id, l.message_id
               from ${linksIn(scope)}
              where l.attachment_id = a.id
              order by l.message_id) as l
     where a.realm_id = $1
     order by l.attachment_id, l.message_id`,
  columns: 'attachment_id bigint, message_id bigint',
  belongsToRealm: `${isAttachment('imported.attachment_id')} and ${isMessage('imported.message_id')}`,
  store: `
  inserted as (
    insert into attachment_messages (attachment_id, message_id)
    select attachment_id, message_id
      from valid
  )`,
}

export const attachmentScheduledMessageKind: RecordKind<'attachment_scheduled_message'> = {
  kind: 'attachment_scheduled_message',
  isPersonal: true,
  list: () => `
    select l.attachment_id, l.scheduled_message_id
      from attachments a
      join attachment_scheduled_messages l on l.attachment_id = a.id
     where a.realm_id = $1
     order by l.attachment_id, l.scheduled_message_id`,
  columns: 'attachment_id bigint, scheduled_message_id bigint',
  belongsToRealm: `
    ${isAttachment('imported.attachment_id')}
    and exists (select from scheduled_messages s where s.id = imported.scheduled_message_id and s.realm_id = $1)`,
  store: `
  inserted as (
    insert into attachment_scheduled_messages (attachment_id, scheduled_message_id)
    select attachment_id, scheduled_message_id
      from valid
  )`,
}
