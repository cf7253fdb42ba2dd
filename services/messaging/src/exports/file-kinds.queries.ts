import type { ExportScope } from '@tms/contracts'
import type { RecordKind } from './record-kind.ts'
import {
  andScheduled,
  isMessage,
  isUser,
  JOIN_EXPORTED,
  secondsOf,
  withConsent,
} from './record-parts.queries.ts'

/** SQL: the links `l` of messages in the export to files. */
const linksIn: Readonly<Record<ExportScope, string>> = {
  public: `
    attachment_messages l
    join messages m on m.id = l.message_id
    join channels c on c.id = m.channel_id and not c.invite_only`,
  consent: `
    attachment_messages l
    join messages m on m.id = l.message_id
    ${JOIN_EXPORTED}`,
  full: 'attachment_messages l',
}

/** SQL: the scheduled messages `s` in the export that link the files `l`. */
const scheduledLinksIn = (scope: ExportScope): string => `
  attachment_scheduled_messages l
  join scheduled_messages s on s.id = l.scheduled_message_id ${andScheduled(scope, 's')}`

/** SQL: a condition for the files `a` in the export: those linked there, and all files of users who consented. */
const andLinked: Readonly<Record<ExportScope, string>> = {
  public: `and exists (select from ${linksIn.public} where l.attachment_id = a.id)`,
  consent: `
       and (a.owner_id in (select user_id from consenting)
            or a.id in (select l.attachment_id from ${linksIn.consent} where m.realm_id = $1)
            or a.id in (select l.attachment_id from ${scheduledLinksIn('consent')} where s.realm_id = $1))`,
  full: '',
}

/** Bytes are transferred separately. */
export const attachmentKind: RecordKind<'attachment'> = {
  kind: 'attachment',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)}
    select a.id, a.owner_id, a.path_id, a.name, a.content_type, a.size, ${secondsOf('a.created_at')} as create_time,
           ${secondsOf('a.unused_since')} as unused_since, a.width, a.height
      from attachments a
     where a.realm_id = $1
       ${andLinked[scope]}
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
  list: (scope) =>
    scope === 'consent'
      ? `${withConsent(scope)}
    select l.attachment_id, l.message_id
      from ${linksIn.consent}
     where m.realm_id = $1
     order by l.attachment_id, l.message_id`
      : `
    select l.attachment_id, l.message_id
      from attachments a
     cross join lateral (
             select l.attachment_id, l.message_id
               from ${linksIn[scope]}
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
  list: (scope) => `${withConsent(scope)}
    select l.attachment_id, l.scheduled_message_id
      from attachments a
      join (select l.* from ${scheduledLinksIn(scope)}) as l on l.attachment_id = a.id
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
