import { afterAll, beforeAll, jest } from '@jest/globals'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { accountTests } from './api/accounts.ts'
import { avatarTests } from './api/avatars.ts'
import { botAvatarTests } from './api/bot-avatars.ts'
import { botTests } from './api/bots.ts'
import { bulkFlagTests } from './api/bulk-flags.ts'
import { channelPermissionTests } from './api/channel-permissions.ts'
import { channelSettingsTests } from './api/channel-settings.ts'
import { channelTests } from './api/channels.ts'
import { choicesInForceTests } from './api/choices-in-force.ts'
import { concurrencyTests } from './api/concurrency.ts'
import { deletingTests } from './api/deleting.ts'
import { documentTests } from './api/documents.ts'
import { draftTests } from './api/drafts.ts'
import { editingTests } from './api/editing.ts'
import { emailChangeTests } from './api/email-changes.ts'
import { emailDomainTests } from './api/email-domains.ts'
import { errorTests } from './api/errors.ts'
import { eventTests } from './api/events.ts'
import { everyEndpointTests } from './api/every-endpoint.ts'
import { fetchingTests } from './api/fetching.ts'
import { flagTests } from './api/flags.ts'
import { groupMentionTests } from './api/group-mentions.ts'
import { guestSightTests } from './api/guest-sights.ts'
import { invitationTests } from './api/invitations.ts'
import { movingTests } from './api/moving.ts'
import { narrowTests } from './api/narrows.ts'
import { organizationTests } from './api/organization.ts'
import { ownAccountTests } from './api/own-account.ts'
import { playgroundTests } from './api/playgrounds.ts'
import { presenceTests } from './api/presence.ts'
import { profileFieldTests } from './api/profile-fields.ts'
import { reactionTests } from './api/reactions.ts'
import { realmPictureTests } from './api/realm-pictures.ts'
import { registerTests } from './api/register.ts'
import { renderingTests } from './api/rendering.ts'
import { repeatedSendTests } from './api/repeated-sends.ts'
import { scheduledMessageTests } from './api/scheduled-messages.ts'
import { searchTests } from './api/search.ts'
import { sendingTests } from './api/sending.ts'
import { serverTests } from './api/servers.ts'
import { settingDefaultTests } from './api/setting-defaults.ts'
import { settingTests } from './api/settings.ts'
import { signingInTests } from './api/signing-in.ts'
import { standingTests } from './api/standing.ts'
import { statusTests } from './api/statuses.ts'
import { subscriptionSettingsTests } from './api/subscription-settings.ts'
import { topicTests } from './api/topics.ts'
import { typingTests } from './api/typing.ts'
import { uploadTests } from './api/uploads.ts'
import { userGroupTests } from './api/user-groups.ts'
import { userTests } from './api/users.ts'
import { DocumentedAnswers } from './support/documented-answers.ts'

jest.setTimeout(30_000)
const answers = new DocumentedAnswers()
let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { events: 2, messaging: 2 },
    serviceEnv: {
      FAILED_LOGINS_PER_MINUTE: '0',
      UPLOAD_QUOTA_MIB: '200',
      DEVELOPMENT_LOGIN: 'true',
      INVITES_PER_DAY: '0',
      INVITES_PER_DAY_OF_NEW_REALMS: '0',
    },
    onAnswer: (exchange) => answers.check(exchange),
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

const system = () => product
userTests(system)
accountTests(system)
standingTests(system)
signingInTests(system)
botTests(system)
botAvatarTests(system)
userGroupTests(system)
settingTests(system)
invitationTests(system)
ownAccountTests(system)
emailChangeTests(system)
avatarTests(system)
settingDefaultTests(system)
statusTests(system)
presenceTests(system)
profileFieldTests(system)
channelTests(system)
channelSettingsTests(system)
subscriptionSettingsTests(system)
channelPermissionTests(system)
sendingTests(system)
renderingTests(system)
groupMentionTests(system)
repeatedSendTests(system)
typingTests(system)
fetchingTests(system)
flagTests(system)
reactionTests(system)
topicTests(system)
draftTests(system)
bulkFlagTests(system)
narrowTests(system)
searchTests(system)
uploadTests(system)
scheduledMessageTests(system)
editingTests(system)
movingTests(system)
deletingTests(system)
registerTests(system)
eventTests(system)
organizationTests(system)
guestSightTests(system)
playgroundTests(system)
emailDomainTests(system)
realmPictureTests(system)
choicesInForceTests(system)
errorTests(system)
everyEndpointTests(system)
concurrencyTests(system)
serverTests(system)
documentTests(system, answers)
