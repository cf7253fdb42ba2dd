-- Up Migration

-- Of a picture, in pixels as it is shown; null for other files, and for those that came before or whose header doesn't say.
alter table attachments
  add column width integer,
  add column height integer;

-- Down Migration
alter table attachments
  drop column width,
  drop column height;
