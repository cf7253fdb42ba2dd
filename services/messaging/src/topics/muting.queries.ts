import { VisibilityPolicy } from '@tms/contracts'

/** SQL: what the user `me` chose for the topic of the message `m`; null if nothing. */
export const choiceFor = (m: string, me: string): string => `
  select t.visibility_policy
    from user_topics t
   where t.user_id = ${me}
     and t.channel_id = ${m}.channel_id
     and t.topic_key = ${m}.topic_key`

/** SQL: whether a topic is muted, from what the user chose for it, perhaps null, and for its channel. */
export const isMutedBy = (choice: string, isChannelMuted: string): string => `
  case ${choice}
    when ${VisibilityPolicy.muted} then true
    when ${VisibilityPolicy.unmuted} then false
    when ${VisibilityPolicy.followed} then false
    else ${isChannelMuted}
  end`
