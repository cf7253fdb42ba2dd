-- Up Migration

-- What narrows ask of a message's links. As generated columns their expressions were read from the catalogue at each
-- send; as functions they are part of the statement's plan. Texts are escaped, so these tags stand in the HTML only
-- where they were rendered.
create function has_link(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0;
create function has_image(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0 and html ~* '<a href="[^"]*[.](bmp|gif|jpe|jpeg|jpg|png|webp)"';
create function has_attachment(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0 and html ~ '<a href="[^"]*/user_uploads/';
alter table messages
  alter column has_link drop expression,
  alter column has_image drop expression,
  alter column has_attachment drop expression;

-- A message is stored by a statement that has locked its recipient, in a channel that was just found, and neither is
-- ever deleted: asking again would be an eighth of what the statement costs.
alter table messages
  drop constraint messages_recipient_id_fkey,
  drop constraint messages_channel_id_fkey;

-- Down Migration
alter table messages
  add constraint messages_recipient_id_fkey foreign key (recipient_id) references recipients,
  add constraint messages_channel_id_fkey foreign key (channel_id) references channels,
  drop column has_link,
  drop column has_image,
  drop column has_attachment;
drop function has_link(text);
drop function has_image(text);
drop function has_attachment(text);
alter table messages
  add column has_link boolean not null
    generated always as (strpos(rendered_content, '<a href="') > 0) stored,
  add column has_image boolean not null generated always as (
    strpos(rendered_content, '<a href="') > 0
    and rendered_content ~* '<a href="[^"]*[.](bmp|gif|jpe|jpeg|jpg|png|webp)"') stored,
  add column has_attachment boolean not null generated always as (
    strpos(rendered_content, '<a href="') > 0
    and rendered_content ~ '<a href="[^"]*/user_uploads/') stored;
create index messages_with_link on messages (recipient_id, id) where has_link;
create index messages_with_image on messages (recipient_id, id) where has_image;
create index messages_with_attachment on messages (recipient_id, id) where has_attachment;
