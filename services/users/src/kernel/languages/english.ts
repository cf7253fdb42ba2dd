/** A text that depends on a number has a form for each category that `Intl.PluralRules` knows in its language. */
export type Text = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string })

/** Every text of mails and of notifications on devices: complete, and what the other languages translate. */
export const english = {
  greeting: 'Hello {name},',
  'greeting.unnamed': 'Hello,',
  open: 'Open {realm}',
  'link.settings': 'Notification settings',
  'link.unsubscribe': 'Unsubscribe',

  'missed.subject.direct': 'DMs with {name}',
  'missed.subject.own': 'DMs with yourself',
  'missed.subject.group': 'Group DMs with {names}',
  'missed.subject.resolved': '[resolved] {conversation}',
  'missed.subject.hidden': 'New messages',
  'missed.others': { one: '{count} other', other: '{count} others' },
  'missed.omitted': {
    one: '{count} earlier message not shown here.',
    other: '{count} earlier messages not shown here.',
  },
  'missed.open': 'Open the conversation',
  'missed.unanswerable': 'Replies to this mail reach nobody.',
  'missed.answerable': 'Answer this mail to post a reply there.',
  'missed.reason.direct_message': 'You get this mail because somebody wrote to you directly.',
  'missed.reason.mentioned': 'You get this mail because you were mentioned.',
  'missed.reason.group': 'You get this mail because @{group} was mentioned.',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'You get this mail because all participants of a topic that you follow were mentioned.',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'You get this mail because everyone was mentioned in a topic that you follow.',
  'missed.reason.topic_wildcard_mentioned':
    'You get this mail because all participants of the topic were mentioned.',
  'missed.reason.stream_wildcard_mentioned':
    'You get this mail because everyone in the channel was mentioned.',
  'missed.reason.followed_topic_email_notify': 'You get this mail because you follow this topic.',
  'missed.reason.stream_email_notify': 'You get this mail because you have turned on mails for this channel.',
  'missed.hidden': 'You have new messages in {realm}.',
  'missed.hidden_by.organization':
    'This mail does not show them because your organization has turned that off.',
  'missed.hidden_by.user': 'This mail does not show them because you have turned that off in your settings.',
  'missed.summary.subject': {
    one: 'Unread messages in {count} more conversation',
    other: 'Unread messages in {count} more conversations',
  },
  'missed.summary': {
    one: 'You have unread messages in {count} more conversation.',
    other: 'You have unread messages in {count} more conversations.',
  },
  'missed.last_of_day': 'You get no more mails about missed messages for up to a day.',
  'missed.test': 'An operator of this installation tries out whether mails reach you.',

  'digest.subject': 'What you missed in {realm}',
  'digest.intro': 'this happened in {realm} while you were away.',
  'digest.more': { one: '{count} more message, with {names}', other: '{count} more messages, with {names}' },
  'digest.with': 'With {names}',
  'digest.channels': 'New channels',
  'digest.more_channels': { one: 'And {count} more.', other: 'And {count} more.' },
  'digest.reason':
    'You get this mail because you were not active for some days. It comes once a week at most.',
  'digest.hidden': 'there are new messages in {realm} since you were away.',
  'reply.refused.subject': 'Your reply was not posted',
  'reply.refused.intro': 'your reply by mail, “{subject}”, was not posted in {realm}, because:',
  'reply.empty': 'The mail has no text beside the quoted one, and no attachment.',
  'reply.omitted': '(Not attached: {names})',
  'reply.tested.subject': 'Replies by mail work',
  'reply.tested':
    'your answer to the trial mail has arrived. Replies to mails about missed messages are posted.',
  'announcement.reason':
    'You get this mail because you have an account in {realm}. It is from those who operate the service.',

  'login.subject': 'New sign-in to {realm}',
  'login.intro': 'someone has just signed in to your account at {realm}.',
  'login.time': 'When: {time}',
  'login.program': 'With: {program}',
  'login.unknown_program': 'an unknown program',
  'login.address': 'From: {address}',
  'login.advice':
    'If that was you, there is nothing to do. If not, change your password and get a new API key at once, and tell those who administer the organization.',
  'login.turn_off': 'You can turn these mails off in your settings.',
  'login_mails_off.subject': 'No more mails about sign-ins to {realm}',
  'login_mails_off.intro':
    'mails about new sign-ins to your account at {realm} were turned off by the link in one of them. This is the last one.',
  'login_mails_off.advice':
    'If that was you, there is nothing to do. If not, turn them on again in your settings, and change your password.',

  'welcome.subject': 'Welcome to {realm}',
  'welcome.intro':
    'You have an account in {realm} now. To sign in, use this e-mail address and your password.',

  'deactivation.subject': 'Your account in {realm} was deactivated',
  'deactivation.intro':
    'An administrator of {realm} has deactivated your account, so you can no longer sign in there.',
  'deactivation.comment': 'They left you this message:',

  'email_change.subject': 'Confirm your new e-mail address for {realm}',
  'email_change.intro': '{name}, you asked to use this address instead of {address} at {realm}.',
  'email_change.request': 'Please confirm that it is yours. Until then your present address stays in use.',
  'email_change.action': 'Confirm the address',
  'email_change.remark': 'The link works once, for a day. If you did not ask for this, you need do nothing.',
  'email_changed.subject': 'Your e-mail address for {realm} has changed',
  'email_changed.intro':
    '{name}, the e-mail address of your account at {realm} is now {new_address}. {address} is no longer used.',
  'email_changed.advice': 'If that was not you, please tell an administrator of the organization at once.',
  'new_address.subject': 'Your account at {realm} has this e-mail address now',
  'new_address.intro':
    '{name}, the system that manages the accounts of {realm} has given your account this address instead of {address}.',
  'new_address.advice': 'If you have no account there, please tell an administrator of the organization.',

  'invitation.subject': '{inviter} invites you to {realm}',
  'invitation.intro': '{inviter} would like you to join {realm}, where the team talks.',
  'invitation.action': 'Join',
  'invitation.validity': 'The invitation is valid until {time}.',
  'invitation.unlimited': 'The invitation does not expire.',
  'invitation.ignore': 'If you don’t know what this is about, you can ignore this mail.',
  'invitation_reminder.subject': 'Your invitation to {realm} is about to expire',
  'invitation_reminder.intro': '{inviter} invited you to {realm}, and is still waiting for you.',
  'invitation_reminder.only': 'This is the only reminder.',

  'confirmation.subject': 'Confirm your e-mail address for {realm}',
  'confirmation.intro': 'Someone, presumably you, wants to join {realm} with this e-mail address.',
  'confirmation.action': 'Confirm and continue',
  'confirmation.validity': 'The link is valid until {time}.',
  'confirmation.ignore': 'If it wasn’t you, ignore this mail: nothing happens without you.',

  'password_reset.subject': 'A new password for {realm}',
  'password_reset.intro':
    'Someone, presumably you, asked for a new password for this e-mail address in {realm}.',
  'password_reset.action': 'Choose a new password',
  'password_reset.validity': 'The link works once, until {time}.',
  'password_reset.ignore': 'If it wasn’t you, ignore this mail: nothing changes without you.',
  'password_reset.deactivated.subject': 'Your account in {realm} is deactivated',
  'password_reset.deactivated':
    'The account is deactivated: ask an administrator of the organization to reactivate it.',
  'password_reset.directory.subject': 'Your password for {realm}',
  'password_reset.directory':
    'Your password there is that of your organization’s directory, which you use elsewhere too: change it where you usually do.',
  'password_reset.unknown.subject': 'No account in {realm}',
  'password_reset.unknown': 'There is no account with it. You may have signed up with another address.',
  'password_changed.subject': 'Your password for {realm} was changed',
  'password_changed.intro': 'The password of your account in {realm} has just been changed.',
  'password_changed.advice':
    'If it wasn’t you, ask for a new password at once, and tell an administrator of the organization.',

  'push.message': 'New message',
  'push.many': 'Many new messages',
  'push.waiting': { one: '{count} new message', other: '{count} new messages' },
  'push.waiting.conversations': { one: 'In {count} conversation', other: 'In {count} conversations' },

  'push.test.title': 'Test notification',
  'push.test': 'Notifications reach this device.',
  'push.mentioned': '{name} mentioned you:',
  'push.mentioned.group': '{name} mentioned @{group}:',
  'push.mentioned.everyone': '{name} mentioned everyone:',
} as const satisfies Record<string, Text>

export type TextKey = keyof typeof english

/** The texts of another language; what is missing is English. */
export type Translation = { readonly [Key in TextKey]?: Text }
