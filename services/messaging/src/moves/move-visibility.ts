import type { Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import {
  clearPolicies,
  hasOtherMessages,
  lockPolicies,
  setPolicies,
  type TopicPlace,
} from './visibility.queries.ts'
import { mergedPolicy } from './visibility.rules.ts'

/** Lets everyone see a topic that has moved as they saw it before, as far as they may read it where it is now. */
export async function moveVisibility(
  tx: Tx,
  { from, to, messageIds }: { from: TopicPlace; to: TopicPlace; messageIds: readonly number[] },
): Promise<void> {
  if (from.channel.id === to.channel.id && caseKey(from.topic) === caseKey(to.topic)) return
  const users = await lockPolicies(tx, from, to)
  if (users.length === 0) return
  const hadMessages = await hasOtherMessages(tx, to, messageIds)
  const changed = users
    .filter(({ canFollow }) => canFollow)
    .map(({ userId, moved, present }) => ({
      userId,
      policy: mergedPolicy(moved, present, hadMessages),
      present,
    }))
    .filter(({ policy, present }) => policy !== present)
  await clearPolicies(tx, from)
  await setPolicies(tx, to, changed)
}
