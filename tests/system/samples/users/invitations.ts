import { invite, newAddress, newLink } from '../../support/invitations.ts'
import type { SamplesOf } from '../sample.ts'

const KEY_BY_MAIL = 'Sends a mail; its key is read from the database by whichever replica it is opened at.'

export const invitationSamples = {
  inviteByEmail: {
    valid: { invitee_emails: 'a.sample@example.org', stream_ids: '[]' },
    foreign: ({ email, channel, group }) => [
      { invitee_emails: email, stream_ids: `[${channel}]` },
      { invitee_emails: email, stream_ids: '[]', group_ids: `[${group}]` },
    ],
  },
  createInviteLink: {
    valid: ({ changedChannel }) => ({ stream_ids: `[${changedChannel.id}]` }),
    foreign: ({ channel, group }) => [{ stream_ids: `[${channel}]` }, { group_ids: `[${group}]` }],
  },
  revokeInvitation: {
    // Revoking works once.
    valid: async ({ owner }) => ({ invite_id: String(await invite(owner, newAddress())) }),
    foreign: ({ invitation: invite_id }) => [{ invite_id }],
  },
  revokeInvitationLink: {
    valid: async ({ owner }) => ({ invite_id: String((await newLink(owner)).id) }),
    foreign: ({ link: invite_id }) => [{ invite_id }],
  },
  resendInvitation: {
    valid: async ({ owner }) => ({ invite_id: String(await invite(owner, newAddress())) }),
    foreign: ({ invitation: invite_id }) => [{ invite_id }],
  },
  submitOpenJoinPage: {
    foreign: ({ email }) => [{ email }],
    noConsistencyRow: KEY_BY_MAIL,
  },
  showJoinPage: {
    foreign: ({ linkKey: key }) => [{ key }],
  },
  submitJoinPage: {
    foreign: ({ linkKey: key }) => [{ key, email: 'somebody@example.org' }],
    noConsistencyRow: KEY_BY_MAIL,
  },
  showSignUpPage: {
    foreign: ({ signUpKey: key }) => [{ key }],
  },
  submitSignUpPage: {
    foreign: ({ signUpKey: key }) => [
      { key, full_name: 'Somebody', password: 'a long and strange password 7' },
    ],
    noConsistencyRow: 'Creates an account by the use case by which an administrator creates one.',
  },
  submitPasswordResetPage: {
    foreign: ({ email }) => [{ email }],
    noConsistencyRow: KEY_BY_MAIL,
  },
  showNewPasswordPage: {
    foreign: ({ resetKey: key }) => [{ key }],
  },
  submitNewPasswordPage: {
    foreign: ({ resetKey: key }) => [{ key, password: 'a long and strange password 7' }],
    noConsistencyRow: 'A password is read from the database by each sign-in, as one changed in the settings.',
  },
  showUnsubscribePage: {
    foreign: ({ unsubscribeKey: key }) => [{ type: 'missed_messages', key }],
  },
  submitUnsubscribePage: {
    foreign: ({ unsubscribeKey: key }) => [{ type: 'missed_messages', key }],
    noConsistencyRow: 'Changes a setting by the use case by which the account changes its own.',
  },
  confirmNewEmailPage: {
    foreign: ({ newEmailKey: key }) => [{ key }],
  },
} satisfies SamplesOf<'users'>
