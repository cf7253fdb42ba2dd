import { VisibilityPolicy } from '@tms/contracts'

/** SQL: the policy of the user `me` for the topic of the message `m`; null if there is none. */
export const topicPolicySql = (m: string, me: string): string => `
  select t.visibility_policy
    from user_topics t
   where t.user_id = ${me}
     and t.channel_id = ${m}.channel_id
     and t.topic_key = ${m}.topic_key`

/** SQL: whether a topic is muted, by the user's policy for it, which may be null, and for its channel. */
export const isMutedSql = (policy: string, isChannelMuted: string): string => `
  case ${policy}
    when ${VisibilityPolicy.muted} then true
    when ${VisibilityPolicy.unmuted} then false
    when ${VisibilityPolicy.followed} then false
    else ${isChannelMuted}
  end`
