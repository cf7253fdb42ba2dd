import { endpoints, type NewDraft } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { invite, newAddress, newLink } from './invitations.ts'
import { workloadTopic } from './topic-workload.ts'

const { addReaction, addSubmessage, removeReaction, sendMessage, subscribe } = endpoints.messaging
const { createDrafts, deleteDraft, getChannelId, updateDraft, updateUserTopic } = endpoints.messaging
const { revokeInvitation, revokeInvitationLink, updatePresence, updateSettings, updateStatus } =
  endpoints.users
const POLICIES = [1, 2, 3, 0] as const

/**
 * Changes of data on messages and of personal data, for `startWorkload`: reactions and submessages in a channel that nobody
 * leaves, visibility of topics, drafts, statuses, presence.
 */
export async function detailWorkload(
  owner: ApiClient,
  observers: readonly ApiClient[],
): Promise<((turn: number) => Promise<unknown>)[]> {
  const name = 'porch'
  await owner.call(subscribe, {
    subscriptions: [{ name }],
    principals: [owner, ...observers].map(({ userId }) => userId),
  })
  const { stream_id } = await owner.call(getChannelId, { stream: name })
  const { id: message_id } = await owner.call(sendMessage, {
    type: 'channel',
    to: name,
    topic: 'a vote',
    content: 'x',
  })
  await owner.call(addSubmessage, { message_id, msg_type: 'widget', content: '{}' })
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient

  return [
    async (turn) => {
      const [observer, emoji_name] = [pick(turn), ['car', 'tada', ''][turn % 3] ?? '']
      await observer.call(updateStatus, { status_text: `turn ${turn % 4 || ''}`, emoji_name })
      await observer.call(updateStatus, { away: turn % 2 === 0, status_text: '' })
      await observer.call(updateSettings, { presence_enabled: turn % 4 > 1 })
      await observer.call(updatePresence, { status: 'active' })
    },
    async (turn) => {
      await pick(turn).call(addReaction, { message_id, emoji_name: 'tada' })
      await pick(turn).call(addSubmessage, { message_id, msg_type: 'widget', content: `${turn}` })
      await pick(turn).call(removeReaction, { message_id, emoji_name: 'tada' })
    },
    async (turn) => {
      const topic = workloadTopic(turn % 3, turn)
      for (const visibility_policy of POLICIES.slice(0, 2 + (turn % 3))) {
        await pick(turn).call(updateUserTopic, { stream_id, topic, visibility_policy })
      }
    },
    async (turn) => {
      const draft: NewDraft = { type: 'stream', to: [stream_id], topic: '', content: `${turn}` }
      const { ids } = await pick(turn).call(createDrafts, { drafts: [draft, draft] })
      for (const draft_id of ids) {
        await pick(turn).call(updateDraft, { draft_id, draft: { ...draft, content: `${turn} again` } })
      }
      await pick(turn).call(deleteDraft, { draft_id: ids[turn % 2] ?? 0 })
    },
    async (turn) => {
      const { id } = await newLink(owner)
      await owner.call(revokeInvitationLink, { invite_id: id })
      await pick(turn).call(revokeInvitation, { invite_id: await invite(pick(turn), newAddress()) })
    },
  ]
}
