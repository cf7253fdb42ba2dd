/**
 * What each level of the API after 275 changed, and whether this server does it. Clients compare one number with the levels
 * that they know, so `serverVersion.featureLevel` may reach a level only when no level up to it is open.
 */
export interface FeatureLevel {
  readonly level: number
  readonly change: string
  /**
   * - `built`: a test shows it.
   * - `not needed`: nothing of it concerns this server, for the reason in `note`.
   * - `open`: not built yet. What it adds may be offered earlier; what it removes has to stay until then.
   */
  readonly state: 'built' | 'not needed' | 'open'
  /** Why it isn't needed; or what is different here. */
  readonly note?: string
  /** The file and the name of a test that shows it, of built levels. */
  readonly test?: readonly [path: string, name: string]
}

const built = (level: number, change: string, ...test: [path: string, name: string]): FeatureLevel => ({
  level,
  change,
  state: 'built',
  test,
})
const open = (level: number, change: string): FeatureLevel => ({ level, change, state: 'open' })
const notNeeded = (level: number, change: string, note: string): FeatureLevel => ({
  level,
  change,
  state: 'not needed',
  note,
})
const RESERVED = 'Changes nothing.'

/** The levels that this server is to reach, each once, ascending. */
export const featureLevels: readonly FeatureLevel[] = [
  built(
    276,
    'Previews of pictures carry the dimensions of the original.',
    'tests/system/api/rendering.ts',
    'has its displayed dimensions in the event, the message, a preview and a scheduled message',
  ),
  notNeeded(277, 'A release without changes.', RESERVED),
  notNeeded(278, 'The same as level 287.', 'See 287.'),
  notNeeded(279, 'Reserved.', RESERVED),
  built(
    280,
    'A group decides who may create web-public channels.',
    'services/messaging/src/channels/channel-settings.rules.test.ts',
    'public, private and web-public channels each have a permission',
  ),
  built(
    281,
    'A group decides who may delete any message.',
    'tests/system/api/group-settings.ts',
    'let the members of a group delete any message, and nobody else',
  ),
  notNeeded(282, 'An endpoint for tutorials was removed.', 'It never existed here.'),
  open(283, 'User groups have `can_manage_group`.'),
  open(284, '`prev_rendered_content_version` was removed from edit histories, events and webhooks.'),
  built(
    285,
    'Editing a message returns the files that nothing refers to any longer.',
    'tests/system/api/uploads.ts',
    'whose last link an edit removes are returned to their owner',
  ),
  built(
    286,
    'Uploading a file returns its stored name.',
    'tests/system/api/uploads.ts',
    'returns a URL that serves the same bytes to its owner',
  ),
  notNeeded(
    287,
    'Placeholders of pictures that are still being processed carry dimensions.',
    'Pictures are shown as soon as they are uploaded.',
  ),
  built(
    288,
    'Clients choose how many days of presence they get.',
    'tests/system/presence.test.ts',
    'gets the users who were present in them, and later every change',
  ),
  open(289, 'Subscribing returns user IDs rather than addresses.'),
  open(290, 'User groups can be deactivated.'),
  built(
    291,
    'A group decides who may delete their own messages.',
    'tests/system/api/group-settings.ts',
    'let the members of a group delete their own',
  ),
  open(292, 'User groups have `creator_id` and `date_created`.'),
  built(
    293,
    'Users choose whether a private export may contain their data.',
    'tests/system/api/settings.ts',
    'keeps what newer clients ask: time zones, AI features, consent to exports',
  ),
  open(294, 'Only clients that declare `include_deactivated_groups` get deactivated groups.'),
  built(
    295,
    'Exports say who has agreed to them; uploads can be resumed.',
    'tests/system/api/resumable-uploads.ts',
    'continues where a connection broke off',
  ),
  built(
    296,
    'Profile fields say whether users may change them.',
    'tests/system/api/profile-fields.ts',
    'for administrators to fill in are filled in by nobody else',
  ),
  built(
    297,
    'Users save snippets of text.',
    'tests/system/api/saved-snippets.ts',
    'are created, changed and deleted, with events to the user’s own clients',
  ),
  open(298, 'A group that is in use is not deactivated; the refusal lists where it is used.'),
  open(299, 'Groups decide who may create and manage groups.'),
  built(
    300,
    'Messages are fetched by their IDs.',
    'tests/system/api/narrows.ts',
    'are fetched by their IDs, without those that the caller cannot see',
  ),
  open(301, 'User groups have `can_join_group`.'),
  built(
    302,
    'Users are found by their real address only if the caller may see it.',
    'tests/system/api/own-account.ts',
    'decides who finds the user by the address',
  ),
  open(303, 'Deactivated users are no longer among the members of groups.'),
  built(
    304,
    'Exports have a type.',
    'tests/system/api/exports.ts',
    'with the consent of users are for administrators, and contain what those may see',
  ),
  open(305, 'User groups have `can_add_members_group`.'),
  notNeeded(
    306,
    'A change of the plan arrives as one event of the organization.',
    'The plan is always the same: `realm_plan_type` is 1.',
  ),
  built(
    307,
    'A group decides who may add custom emoji.',
    'tests/system/api/group-settings.ts',
    'can_add_custom_emoji_group lets its members add emoji',
  ),
  open(308, 'User groups have `can_leave_group`.'),
  built(
    309,
    'A permission can be given to several groups and users together.',
    'tests/system/api/group-settings.ts',
    'takes users and groups together, in any order',
  ),
  built(
    310,
    'A group decides who may move messages between channels.',
    'tests/system/api/group-settings.ts',
    'let the members of a group move messages between channels',
  ),
  open(311, 'Subgroups are changed together with members.'),
  built(
    312,
    'An event says who has agreed to exports.',
    'tests/system/api/exports.ts',
    'list who consented, and deliver a change to administrators',
  ),
  built(
    313,
    'Users are changed by their address, and administrators change addresses.',
    'tests/system/api/email-changes.ts',
    'is in force at once, for administrators who have that right',
  ),
  built(
    314,
    'Two older permissions can be given to groups and users together.',
    'tests/system/api/group-settings.ts',
    'that only a system group can have refuses others',
  ),
  {
    ...built(
      315,
      'Channels say whether they are archived; clients get archived ones on request.',
      'tests/system/api/archived-channels.ts',
      'stays with its subscribers for clients that show it, and is deleted for others',
    ),
    note: 'An archived channel still gets another name, since its own is free for a new channel.',
  },
  built(
    316,
    'A group decides who may move messages between topics.',
    'tests/system/api/group-settings.ts',
    'let the members of a group resolve topics, without the permission to move messages',
  ),
  built(
    317,
    'Creating a user group returns its ID.',
    'tests/system/api/user-groups.ts',
    'are created with name, description and members',
  ),
  notNeeded(
    318,
    '`config` of incoming webhooks is called `config_options`.',
    'There are no ready-made integrations to list.',
  ),
  built(
    319,
    'Links to messages have a new form.',
    'tests/system/api/rendering.ts',
    'to a message names it and its topic',
  ),
  built(
    320,
    '`can_remove_subscribers_group` can be given to groups and users together.',
    'tests/system/api/channel-permissions.ts',
    'permissions of a channel are given to users, and to groups with their subgroups',
  ),
  built(
    321,
    'A group decides who may invite.',
    'tests/system/api/group-settings.ts',
    'can_invite_users_group lets its members invite',
  ),
  built(
    322,
    'Invitations name user groups.',
    'tests/system/joining.test.ts',
    'adds the user to the groups that it names, except those deleted meanwhile',
  ),
  built(
    323,
    'Channels say whether there was traffic lately.',
    'tests/system/api/channels.ts',
    'is recently active until there were no messages for 180 days, and again after the next one',
  ),
  open(324, 'User groups have `can_remove_members_group`.'),
  built(
    325,
    'Channels have administrators.',
    'tests/system/api/channel-permissions.ts',
    'is the creator at first, who changes and archives the channel',
  ),
  built(
    326,
    'Two fields were removed from the description of permissions.',
    'tests/system/api/group-settings.ts',
    'is described to clients: which settings accept which groups',
  ),
  built(
    327,
    'The recipient of a direct message has one ID for both sides.',
    'tests/system/api/sending.ts',
    'keeps one conversation for the same users, whichever of them sends',
  ),
  open(328, '`user` was removed from the reactions of messages.'),
  built(
    329,
    'A setting decides whether clients suggest a change of the time zone.',
    'tests/system/api/settings.ts',
    'keeps what newer clients ask: time zones, AI features, consent to exports',
  ),
  open(330, 'Default channels are listed by ID.'),
  built(
    331,
    'An organization can choose a channel for reports about messages.',
    'tests/system/api/organization.ts',
    'accepts only a private channel for reports about messages, or none',
  ),
  open(332, 'Deactivating an organization can set a time after which it is deleted.'),
  built(
    333,
    'A group decides who may post in a channel; system groups can be mentioned silently.',
    'tests/system/api/channel-permissions.ts',
    'permissions of a channel are given to users, and to groups with their subgroups',
  ),
  built(334, 'A topic can be empty.', 'tests/system/api/empty-topics.ts', 'is what a message to %j has'),
  built(
    335,
    'Each sender gets their own e-mail address of a channel.',
    'tests/system/api/channel-settings.ts',
    'has an address for oneself and one’s own bots as the sender',
  ),
  built(
    336,
    'Previews of pictures carry the type of the original.',
    'tests/system/api/rendering.ts',
    'has its displayed dimensions in the event, the message, a preview and a scheduled message',
  ),
  built(
    337,
    'Calls can be created without video.',
    'tests/system/pages/video-calls.ts',
    'without video has cameras off, and nobody can turn them on',
  ),
  built(
    338,
    'Register returns the length of the longest password.',
    'services/users/src/kernel/credentials/password-strength.rules.test.ts',
    'takes 100 characters, and refuses more without estimating them',
  ),
  notNeeded(339, '`user` was added to events of reactions again.', 'It was never removed here.'),
  open(340, 'Deactivated groups can be changed.'),
  built(
    341,
    'A group decides who may add subscribers.',
    'tests/system/api/group-settings.ts',
    'can_add_subscribers_group lets its members subscribe others',
  ),
  open(342, 'Each channel also has a group that decides who may add subscribers.'),
  built(
    343,
    'The event about deleted channels has their IDs.',
    'tests/system/api/channel-settings.ts',
    'makes a public channel private, which removes it for non-subscribers',
  ),
  built(
    344,
    'Groups decide who may create bots.',
    'tests/system/api/group-settings.ts',
    'can_create_bots_group and can_create_write_only_bots_group let their members create bots',
  ),
  notNeeded(
    345,
    'A server can be registered anew for mobile push notifications.',
    'No push service is used.',
  ),
  built(
    346,
    'Links to topics can name the empty topic.',
    'tests/system/api/rendering.ts',
    'to the empty topic shows its name, in notices of moves too',
  ),
  built(
    347,
    'Links to topics name a message of the topic.',
    'tests/system/api/rendering.ts',
    'to a topic leads by its oldest message that the author may read',
  ),
  built(
    348,
    'A setting decides whether clients warn before a direct message to a guest.',
    'tests/system/api/organization.ts',
    'decides whether clients warn before direct messages to guests',
  ),
  open(349, 'Those who administer a private channel see it without its contents.'),
  open(350, 'There are settings for summaries of topics.'),
  built(
    351,
    'There are typing notifications for users who edit a message.',
    'tests/system/api/typing.ts',
    'while editing a message is delivered to those who read it and want it',
  ),
  built(
    352,
    'A group decides who may mention many users.',
    'tests/system/api/sending.ts',
    'of everyone require a permission in a channel of more than 15, which administrators have',
  ),
  notNeeded(
    353,
    'Video calls can be made with another kind of Zoom account.',
    'Calls are made with Jitsi or BigBlueButton.',
  ),
  open(354, 'Those who may subscribe to a private channel may read it.'),
  built(
    355,
    'Marking as unread names the channels that were left out.',
    'tests/system/api/flags.ts',
    'does not mark messages as unread without a subscription',
  ),
  built(
    356,
    'All channels that the caller can see are listed on request.',
    'tests/system/api/channels.ts',
    'lists all that the caller can see, or can read',
  ),
  open(357, 'A group decides who may subscribe to a private channel.'),
  built(
    358,
    'The organization decides which edits are shown.',
    'tests/system/api/effective-settings.ts',
    'show all edits, moves only, or none',
  ),
  open(359, 'Bots keep their channels when their owner changes.'),
  built(
    360,
    'Messages in archived channels can be fetched one by one.',
    'tests/system/api/archived-channels.ts',
    'keeps its messages for those who could read them, who change nothing',
  ),
  built(
    361,
    'The call for typing while editing has another path.',
    'tests/system/api/typing.ts',
    'while editing a message is delivered to those who read it and want it',
  ),
  built(
    362,
    'Archived channels can be subscribed to.',
    'tests/system/api/archived-channels.ts',
    'is joined and left by the name that it has since, which only clients that show it get',
  ),
  notNeeded(
    363,
    'A group decides who manages billing.',
    'Nothing is billed. `is_billing_admin` stays in user objects, and is false.',
  ),
  notNeeded(364, '`dense_mode` was removed.', 'The API document describes it, so it stays.'),
  open(365, 'Messages say separately when they were edited and moved.'),
  built(
    366,
    'Muted messages are found by `is:muted`.',
    'tests/system/api/narrows.ts',
    'finds what is muted, and what is not',
  ),
  built(
    367,
    'A group decides who may resolve topics.',
    'tests/system/api/group-settings.ts',
    'let the members of a group resolve topics, without the permission to move messages',
  ),
  built(
    368,
    'Saved snippets can be changed.',
    'tests/system/api/saved-snippets.ts',
    'are created, changed and deleted, with events to the user’s own clients',
  ),
  built(
    369,
    'Register returns the address of a video.',
    'tests/system/api/organization.ts',
    'has no video that explains the service',
  ),
  open(370, 'The topic `(no topic)` means the empty topic.'),
  notNeeded(371, 'A release without changes.', RESERVED),
]
