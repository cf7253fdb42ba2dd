/**
 * SQL: has messages checked again that were checked before this change of channels and are not stored yet. Belongs to
 * whatever may take from somebody what they could do there, or see of it. `changed` has the channels' `recipient_id`; needs
 * their locks.
 */
export const raiseRevisions = (changed: string): string => `
  update recipients
     set revision = revision + 1
   where id in (select recipient_id from ${changed})`
