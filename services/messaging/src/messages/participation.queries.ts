/**
 * How far back a topic's participants are looked for, in messages: too small forgets people of a busy topic,
 * too large makes a topic mention slow. All participants would take a look at every message of the topic.
 */
export const PARTICIPANT_WINDOW = 1_000

/**
 * SQL: whether the user `me` counts as a participant of the topic of the message `m` when it was sent: had sent to
 * it or reacted to one of its messages.
 */
export const tookPart = (me: string): string => `
  (m.sender_id = ${me}
   or exists (select
                from (select p.id, p.sender_id
                        from messages p
                       where p.recipient_id = m.recipient_id
                         and p.topic_key = m.topic_key
                         and p.id < m.id
                       order by p.id desc
                       limit ${PARTICIPANT_WINDOW}) recent
               where recent.sender_id = ${me}
                  or exists (select
                               from reactions r
                              where r.message_id = recent.id
                                and r.user_id = ${me}
                                and r.created_at < m.sent_at)))`
