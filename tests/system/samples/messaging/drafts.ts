import { endpoints, type NewDraft } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { secondsFromNow } from '../../support/users-and-channels.ts'
import { json } from '../naming.ts'
import type { Fields, SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const draftIn = ({ id }: { id: number }): NewDraft => ({ type: 'stream', to: [id], topic: '', content: 'x' })
const newDraft = async ({ owner, channel }: SampleObjects): Promise<Fields> => {
  const { ids } = await owner.call(endpoints.messaging.createDrafts, { drafts: [draftIn(channel)] })
  return { draft_id: String(ids[0]) }
}
const messageFor = ({ userId }: ApiClient): Fields => ({ type: 'direct', to: `[${userId}]`, content: 'x' })
const laterFor = (user: ApiClient): Fields => ({
  ...messageFor(user),
  scheduled_delivery_timestamp: String(secondsFromNow(86_400)),
})
const schedule = async ({ owner }: SampleObjects): Promise<Fields> => {
  const { body } = await owner.request('POST', '/scheduled_messages', Object.entries(laterFor(owner)))
  return { scheduled_message_id: String(body['scheduled_message_id']) }
}

export const draftSamples = {
  createDrafts: {
    valid: ({ channel }) => ({ drafts: json([draftIn(channel)]) }),
    foreign: ({ user, channel, privateChannel }) => [
      { drafts: json([{ type: 'stream', to: [Number(channel)], topic: 'x', content: 'x' }]) },
      { drafts: json([{ type: 'stream', to: [Number(privateChannel)], topic: 'x', content: 'x' }]) },
      { drafts: json([{ type: 'private', to: [Number(user)], topic: '', content: 'x' }]) },
    ],
  },
  updateDraft: {
    valid: async (objects) => ({ ...(await newDraft(objects)), draft: json(draftIn(objects.channel)) }),
    foreign: ({ draft, channel }, own) => [
      { draft_id: draft, draft: json({ type: '', to: [], topic: '', content: 'x' }) },
      {
        draft_id: own.draft,
        draft: json({ type: 'stream', to: [Number(channel)], topic: 'x', content: 'x' }),
      },
    ],
  },
  deleteDraft: {
    valid: newDraft,
    foreign: ({ draft: draft_id }) => [{ draft_id }],
  },
  createScheduledMessage: {
    valid: ({ owner }) => laterFor(owner),
    foreign: ({ user, channel, privateChannel }) =>
      [
        { type: 'channel', to: channel, topic: 'x' },
        { type: 'channel', to: privateChannel, topic: 'x' },
        { type: 'direct', to: `[${user}]` },
      ].map((to) => ({ ...to, content: 'x', scheduled_delivery_timestamp: '4000000000' })),
  },
  updateScheduledMessage: {
    valid: async (objects) => ({ ...(await schedule(objects)), ...messageFor(objects.owner) }),
    foreign: ({ scheduledMessage, channel }, own) => [
      { scheduled_message_id: scheduledMessage, content: 'y' },
      { scheduled_message_id: own.scheduledMessage, type: 'channel', to: channel, topic: 'x' },
    ],
  },
  deleteScheduledMessage: {
    valid: schedule,
    foreign: ({ scheduledMessage: scheduled_message_id }) => [{ scheduled_message_id }],
  },
} satisfies SamplesOf<'messaging'>
