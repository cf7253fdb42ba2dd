/**
 * Number of messages in which participants of a topic are searched. Too small misses users of a busy topic; too
 * large makes topic mentions slow, because finding all participants reads every message of the topic.
 */
export const PARTICIPANT_WINDOW = 1_000

/**
 * SQL: whether the user `me` was a participant of the topic when the message `m` was sent: had sent a message to
 * it or reacted to one.
 */
export const isParticipantSql = (me: string): string => `
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
