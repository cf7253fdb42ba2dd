import { Role } from '../permissions/role.ts'
import type { ChannelRecord } from './records.ts'

/** Whether a role can see a channel and its subscribers without being subscribed. */
export function canSeeUnsubscribed(
  role: number,
  channel: Pick<ChannelRecord, 'invite_only' | 'is_web_public'>,
): boolean {
  if (channel.is_web_public) return true
  return role <= (channel.invite_only ? Role.administrator : Role.member)
}
