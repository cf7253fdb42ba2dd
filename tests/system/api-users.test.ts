import { accountTests } from './api/accounts.ts'
import { avatarTests } from './api/avatars.ts'
import { botAvatarTests } from './api/bot-avatars.ts'
import { botChannelTests } from './api/bot-channels.ts'
import { botConfigTests } from './api/bot-config.ts'
import { botHandoverTests } from './api/bot-handover.ts'
import { botOwnerTests } from './api/bot-owners.ts'
import { botStorageTests } from './api/bot-storage.ts'
import { botTests } from './api/bots.ts'
import { clientActionTests } from './api/client-actions.ts'
import { documentTests } from './api/documents.ts'
import { emailChangeTests } from './api/email-changes.ts'
import { groupDeactivationTests } from './api/group-deactivation.ts'
import { groupMemberActivityTests } from './api/group-member-activity.ts'
import { groupPermissionTests } from './api/group-permissions.ts'
import { guestVisibilityTests } from './api/guest-visibility.ts'
import { invitationTests } from './api/invitations.ts'
import { ownAccountTests } from './api/own-account.ts'
import { presenceTests } from './api/presence.ts'
import { profileFieldTests } from './api/profile-fields.ts'
import { pushDeviceTests } from './api/push-devices.ts'
import { roleChangeTests } from './api/role-changes.ts'
import { savedSnippetTests } from './api/saved-snippets.ts'
import { settingDefaultTests } from './api/setting-defaults.ts'
import { settingTests } from './api/settings.ts'
import { signingInTests } from './api/signing-in.ts'
import { statusTests } from './api/statuses.ts'
import { userGroupTests } from './api/user-groups.ts'
import { userTests } from './api/users.ts'
import { startApi } from './support/api-tests.ts'

const { system, answers, run } = startApi()
run(userTests)
run(accountTests)
run(roleChangeTests)
run(signingInTests)
run(pushDeviceTests)
run(clientActionTests)
run(botTests)
run(botOwnerTests)
run(botHandoverTests)
run(botAvatarTests)
run(botChannelTests)
run(botConfigTests)
run(botStorageTests)
run(savedSnippetTests)
run(userGroupTests)
run(groupPermissionTests)
run(groupDeactivationTests)
run(groupMemberActivityTests)
run(settingTests)
run(invitationTests)
run(ownAccountTests)
run(emailChangeTests)
run(avatarTests)
run(settingDefaultTests)
run(statusTests)
run(presenceTests)
run(profileFieldTests)
run(guestVisibilityTests)
documentTests(system, answers, { topic: 'accounts', everyOperation: false })
