// One mail of each kind, for tools/mail-pictures.ts: with long names and addresses, and all that messages may have.
import type { MissedConversation } from '../libs/contracts/dist/index.js'
import { renderForMail } from '../services/messaging/src/missed-messages/mail-html.rules.ts'
import { accountCreatedMail } from '../services/users/src/accounts/account-created-mail.ts'
import { deactivationMail } from '../services/users/src/accounts/deactivation-mail.ts'
import { composeAnnouncement } from '../services/users/src/announcements/compose-announcement.ts'
import { composeLoginMail, composeLoginMailsOffMail } from '../services/users/src/credentials/login-mail.ts'
import { composeDigest, composeHiddenDigest } from '../services/users/src/digests/compose-digest.ts'
import { emailChangedMail, emailChangeMail } from '../services/users/src/email-changes/email-change-mails.ts'
import { invitationMail, invitationReminderMail } from '../services/users/src/invitations/invitation-mail.ts'
import { createLocale } from '../services/users/src/kernel/languages/locale.ts'
import type { Mail } from '../services/users/src/kernel/mails/mail.ts'
import { refusedReplyMail, testedReplyMail } from '../services/users/src/mail-replies/reply-mails.ts'
import {
  composeHiddenMail,
  composeMissedMail,
  composeSummaryMail,
} from '../services/users/src/missed-messages/compose-missed-mail.ts'
import {
  deactivatedAccountMail,
  directoryPasswordMail,
  passwordChangedMail,
  passwordResetMail,
  unknownAccountMail,
} from '../services/users/src/password-reset/password-reset-mail.ts'
import { newAddressMail } from '../services/users/src/scim/new-address-mail.ts'
import { confirmationMail } from '../services/users/src/sign-up/confirmation-mail.ts'

const BASE = 'https://chat.example.com'
const realm = { name: 'Acme & Sons', url: BASE, default_language: 'en' } as unknown as Parameters<
  typeof confirmationMail
>[0]
const account = {
  ...{
    id: 7,
    realmId: 2,
    fullName: 'Ann Able',
    deliveryEmail: 'ann.able@a-rather-long-department.example.com',
  },
  ...{ settings: {}, timezone: 'Europe/Berlin', emailAddressVisibility: 1 },
} as unknown as Parameters<typeof newAddressMail>[0]
const key = '0123456789abcdef0123456789abcdef0123456789abcdef'
const expiresAt = new Date('2026-12-01T09:30:00Z')
const invited = {
  email: account.deliveryEmail,
  inviterName: 'Ben Baker',
  url: `${BASE}/accounts/do_confirm/${key}`,
  expiresAt,
}
const unsubscribeUrl = `${BASE}/accounts/unsubscribe/missed_messages/7-${key.slice(0, 43)}`
const addresseeIn = (language: string) => ({
  ...{
    to: account.deliveryEmail,
    toName: account.fullName,
    locale: createLocale(language, 'Europe/Berlin', 24),
  },
  ...{ realm, namesRealm: false, unsubscribeUrl },
})
const addressee = addresseeIn('en')

/** A message as messaging hands it over. */
const message = (sender_name: string, html: string, is_context = false) => ({
  ...{ sender_name, text: html.replaceAll(/<[^>]*>/g, ''), html: renderForMail(html, BASE) },
  ...(is_context && { is_context }),
})
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)
const everything = [
  '<p>A <strong>bold</strong> word, <em>another</em>, <del>a third</del>, <code>inline_code()</code>, <span class="user-mention" data-user-id="7">@Ann Able</span> and <a class="stream-topic" href="/#narrow/channel/5-design/topic/Logo">#design &gt; Logo</a> <span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>.</p>',
  `<p><a href="https://example.com/${'a-path-without-end/'.repeat(12)}">https://example.com/${'a-path-without-end/'.repeat(12)}</a></p>`,
  `<p>${LONG_WORD}</p>`,
  '<blockquote>\n<p>What was said before, <a href="https://example.com">with a link</a>.</p>\n</blockquote>',
  `<div class="codehilite" data-code-language="Python"><pre><span></span><code>def draw(width, height, colour="#1f5fd0", *, margin=20, padding=20):  # ${'a long comment '.repeat(6)}\n    return [width * height]\n</code></pre></div>`,
  '<ul>\n<li>One</li>\n<li>Two\n<ul>\n<li>Inner</li>\n</ul>\n</li>\n</ul>\n<ol start="3">\n<li>Three</li>\n<li>Four</li>\n</ol>',
  `<table>\n<thead>\n<tr>${['Name', 'Address', 'Amount', 'Remark', 'Approved by', 'Approved at', 'Comment'].map((name) => `<th>${name}</th>`).join('')}</tr>\n</thead>\n<tbody>\n<tr>${['Ann', 'ann@example.com', '12,345.67', 'as agreed', 'Ben Baker', '2026-11-27 10:00', 'nothing_to_add_here'].map((cell) => `<td>${cell}</td>`).join('')}</tr>\n</tbody>\n</table>`,
  '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>',
  '<p>A formula: <span class="katex"><math><annotation encoding="application/x-tex">E = mc^2</annotation></math></span></p>',
  '<h2>A heading</h2>\n<hr>\n<p>The end.</p>',
].join('\n')

const topic: MissedConversation = {
  ...{ kind: 'channel', recipient_id: 5, channel_name: 'design', topic: 'Logo', participants: [] },
  ...{ path: '/#narrow/channel/5-design/topic/Logo/with/9', trigger: 'mentioned', group_name: null },
  messages: [
    message('Cy Cooper', '<p>Which colour do we take?</p>', true),
    message('Ben Baker', '<p>I like <a href="https://example.com/blue">this blue</a>.</p>', true),
    message('Ben Baker', everything),
    message('Dee Dunn', '<p>Fine with me.</p>'),
  ],
  omitted_count: 3,
}
const direct: MissedConversation = {
  ...topic,
  ...{
    kind: 'direct',
    channel_name: null,
    topic: '',
    participants: ['Ben Baker'],
    trigger: 'direct_message',
  },
  messages: [message('Ben Baker', '<p>Lunch at noon?</p>')],
  omitted_count: 0,
}
const digest: Parameters<typeof composeDigest>[1] = {
  user_id: 7,
  topics: [
    {
      ...{
        channel_name: 'design',
        topic: 'A topic with a long name that goes on and on and on',
        path: '/#narrow/channel/5-design',
      },
      messages: [message('Ben Baker', everything), message('Dee Dunn', '<p>Fine with me.</p>')],
      ...{ participants: ['Ben Baker', 'Dee Dunn'], further_participants: 12, further_messages: 140 },
    },
    {
      ...{ channel_name: LONG_WORD.slice(0, 60), topic: 'short', path: '/#narrow/channel/6-x' },
      messages: [message('Cy Cooper', '<p>Hello.</p>')],
      ...{ participants: ['Cy Cooper'], further_participants: 0, further_messages: 0 },
    },
  ],
  channels: [
    { name: 'new channel', path: '/#narrow/channel/8-new' },
    { name: LONG_WORD.slice(0, 60), path: '/#narrow/channel/9-long' },
  ],
  further_channels: 2,
}
const LETTER = `## What happens

On **Sunday, from 8 to 10**, the service moves to other servers. Meanwhile:

- messages are read, and none is sent
- mails wait

> Nothing is lost.

See the [plan](https://example.com/plan), or https://example.com/${'a-path-without-end/'.repeat(8)}

\`\`\`
npm run manage -- announce sales --subject 'We move on Sunday' --file move.md --to administrators --dry-run
\`\`\`

---

Your operators`

/** By name. */
export const mailSamples: Readonly<Record<string, Mail>> = {
  'missed-topic': composeMissedMail(addressee, topic, `reply+${key.slice(0, 32)}@mail.example.com`),
  'missed-direct': composeMissedMail(addressee, direct),
  'missed-group-in-japanese': composeMissedMail(addresseeIn('ja'), {
    ...direct,
    ...{ kind: 'group', participants: ['Ben Baker', 'Cy Cooper', 'Dee Dunn', 'Eve Ely'] },
    messages: [message('Ben Baker', '<p>昼ごはんは？</p>'), message('Cy Cooper', '<p>はい。</p>')],
  }),
  'missed-hidden': composeHiddenMail(addressee, 'organization'),
  'missed-summary': composeSummaryMail(addressee, 12, true),
  digest: composeDigest(addressee, digest),
  'digest-hidden': composeHiddenDigest(addressee, 'user'),
  announcement: composeAnnouncement(
    { subject: 'We move', content: LETTER, isMarkdown: true },
    realm,
    addressee,
  ),
  'announcement-in-plain-text': composeAnnouncement(
    { subject: 'We move', content: LETTER, isMarkdown: false },
    realm,
    addressee,
  ),
  'reply-refused': refusedReplyMail(realm, account, {
    ...{ subject: 'Re: #design > Logo', reason: 'You may not post in this channel' },
    text: `Fine, **with** me.\n\nhttps://example.com/${'a-path-without-end/'.repeat(12)}`,
  }),
  'reply-tested': testedReplyMail(realm, account),
  login: composeLoginMail(
    account,
    realm,
    {
      ...{
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
        address: '2001:db8::1',
      },
    },
    { at: expiresAt, unsubscribeUrl },
  ),
  'login-mails-off': composeLoginMailsOffMail(account, realm),
  welcome: accountCreatedMail(realm, account),
  deactivation: deactivationMail(account, realm, 'Thank you for everything!'),
  'email-change': emailChangeMail(account, 'ann@example.com', key, realm),
  'email-changed': emailChangedMail(account, 'ann@example.com', realm),
  'new-address': newAddressMail(account, 'ann@example.com', realm),
  invitation: invitationMail(realm, invited),
  'invitation-reminder': invitationReminderMail(realm, invited),
  confirmation: confirmationMail(realm, { email: account.deliveryEmail, key, expiresAt }),
  'password-reset': passwordResetMail(realm, { account, key, expiresAt }),
  'password-reset-deactivated': deactivatedAccountMail(realm, account),
  'password-reset-by-directory': directoryPasswordMail(realm, account),
  'password-reset-of-nobody': unknownAccountMail(realm, 'nobody@example.com'),
  'password-changed': passwordChangedMail(realm, account),
}
