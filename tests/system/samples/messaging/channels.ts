import { newChannel } from '../../support/users-and-channels.ts'
import { json, ofChannels } from '../naming.ts'
import { type Fields, namesNothing, type SamplesOf } from '../sample.ts'

const idOf = ({ id }: { id: number }): Fields => ({ stream_id: String(id) })

export const channelSamples = {
  updateChannel: {
    valid: ({ changedChannel }) => ({ ...idOf(changedChannel), description: 'a sample' }),
    foreign: ofChannels({ description: 'Taken over' }),
  },
  archiveChannel: {
    valid: async ({ owner }) => idOf(await newChannel(owner)),
    foreign: ofChannels(),
  },
  addDefaultChannel: {
    valid: ({ changedChannel }) => idOf(changedChannel),
    foreign: ofChannels(),
  },
  removeDefaultChannel: {
    valid: ({ changedChannel }) => idOf(changedChannel),
    foreign: ofChannels(),
  },
  listChannels: {
    foreign: { include_all_active: 'true' },
  },
  getChannel: {
    valid: ({ channel }) => idOf(channel),
    foreign: ofChannels(),
  },
  getChannelId: {
    valid: ({ channel }) => ({ stream: channel.name }),
    foreign: ({ channelName: stream }) => [{ stream }],
  },
  listSubscribers: {
    valid: ({ channel }) => idOf(channel),
    foreign: ofChannels(),
  },
  getSubscriptionStatus: {
    valid: ({ owner, channel }) => ({ user_id: String(owner.userId), ...idOf(channel) }),
    foreign: ({ user: user_id, channel: stream_id }, own) => [
      { user_id, stream_id: own.channel },
      { user_id: own.user, stream_id },
    ],
  },
  getChannelEmailAddress: {
    valid: ({ channel }) => idOf(channel),
    foreign: ofChannels(),
  },
  createDefaultChannelGroup: {
    ...namesNothing({ group_name: 'a sample', description: 'x', stream_names: '[]' }),
  },
  updateDefaultChannelGroup: {
    valid: { group_id: '1', new_group_name: 'a sample' },
    foreign: { group_id: '1' },
  },
  removeDefaultChannelGroup: {
    ...namesNothing({ group_id: '1' }),
  },
  updateDefaultChannelGroupChannels: {
    ...namesNothing({ group_id: '1', op: 'add', stream_names: '[]' }),
  },
  subscribe: {
    valid: { subscriptions: json([{ name: 'a sample' }]) },
    foreign: ({ user, email }, own) =>
      [json([Number(user)]), json([email])].map((principals) => ({
        subscriptions: json([{ name: own.channelName }]),
        principals,
      })),
  },
  unsubscribe: {
    valid: ({ channel }) => ({ subscriptions: json([channel.name]) }),
    foreign: ({ user, channelName }, own) => [
      { subscriptions: json([channelName]) },
      { subscriptions: json([own.channelName]), principals: `[${user}]` },
    ],
  },
  listSubscriptions: {
    foreign: { include_subscribers: 'true' },
  },
  updateSubscriptions: {
    valid: async ({ owner }) => ({
      add: json([{ name: 'a sample' }]),
      delete: json([(await newChannel(owner)).name]),
    }),
    foreign: ({ channelName }) => [{ delete: json([channelName]) }],
  },
  updateSubscriptionSetting: {
    valid: ({ changedChannel }) => ({ ...idOf(changedChannel), property: 'color', value: '#76ce90' }),
    foreign: ofChannels({ property: 'is_muted', value: 'true' }),
  },
  updateSubscriptionSettings: {
    valid: ({ changedChannel }) => ({
      subscription_data: json([{ stream_id: changedChannel.id, property: 'is_muted', value: true }]),
    }),
    foreign: ({ channel, privateChannel }) =>
      [channel, privateChannel].map((id) => ({
        subscription_data: json([{ stream_id: Number(id), property: 'is_muted', value: true }]),
      })),
  },
  listTopics: {
    valid: ({ channel }) => idOf(channel),
    foreign: ofChannels(),
  },
  updateUserTopic: {
    valid: ({ channel }) => ({ ...idOf(channel), topic: 'a topic', visibility_policy: '3' }),
    foreign: ofChannels({ topic: 'x', visibility_policy: '3' }),
  },
  muteTopic: {
    valid: ({ channel }) => ({ ...idOf(channel), topic: 'a topic', op: 'add' }),
    foreign: (names, own) => [
      ...ofChannels({ topic: 'x', op: 'add' })(names, own),
      { stream: names.channelName, topic: 'x', op: 'add' },
    ],
  },
} satisfies SamplesOf<'messaging'>
