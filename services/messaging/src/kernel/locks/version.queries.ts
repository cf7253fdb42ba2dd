/**
 * SQL: increments the versions of changed channels, so that messages which were checked before and are not stored
 * yet are checked again. Belongs to every change that may withdraw a permission in a channel. `changed` has the
 * `recipient_id` of the channels, whose locks are needed.
 */
export const incrementVersions = (changed: string): string => `
  update recipients
     set version = version + 1
   where id in (select recipient_id from ${changed})`

/**
 * SQL: counts that users join channels, so that messages which were checked before, with the subscribers of that time, are
 * checked again. `joined` has the `recipient_id` of the channels, whose locks are needed.
 */
export const countJoins = (joined: string): string => `
  update recipients
     set joins = joins + 1
   where id in (select recipient_id from ${joined})`
