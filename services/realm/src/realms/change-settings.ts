import {
  availableMethods,
  groupSettingParts,
  groupSettingsToCheck,
  internal,
  realmPermissionNames,
} from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { CallContext } from '../calls/call-context.ts'
import { lockOrganization } from '../kernel/realms/realm.queries.ts'
import { type ShownSettings, showPermissions } from '../kernel/realms/shown-settings.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { disableMethods } from './authentication-method.rules.ts'
import { CHECK_TIMEOUT_MS, listHiddenMembers } from './hidden-members.ts'
import { readRequestedPermissions } from './permission-input.rules.ts'
import { saveSettings } from './save-settings.ts'
import {
  channelsOf,
  checkPrivateChannels,
  readRequestedSettings,
  type SettingInput,
  withoutRepeatedHistory,
} from './setting-input.rules.ts'

/**
 * Changes settings of an organization, all or none, and publishes them; returns the changed ones. Throws BAD_REQUEST,
 * REQUEST_CONFUSING_VAR, REQUEST_VARIABLE_INVALID, EXPECTATION_MISMATCH or SYSTEM_GROUP_REQUIRED.
 */
export async function changeSettings(
  context: Pick<CallContext, 'call' | 'transact' | 'calls' | 'signOn' | 'minAuditRetentionDays'>,
  { realmId, userId: user_id, role }: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  input: SettingInput,
  requestId: string,
): Promise<ShownSettings> {
  const requested = readRequestedSettings(input, {
    hasBigBlueButton: context.calls !== null,
    minAuditRetentionDays: context.minAuditRetentionDays,
  })
  const stream_ids = channelsOf(requested)
  const checked = { realm_id: realmId, user_id, role, stream_ids }
  const values = groupSettingsToCheck(realmPermissionNames, input)
  return context.transact(async (tx) => {
    const realm = await lockOrganization(tx, realmId)
    const options = { timeoutMs: CHECK_TIMEOUT_MS }
    // Under the lock: the deactivation of a group first makes users refuse it here, and then waits for this commit.
    if (values.length > 0)
      await context.call(internal.users.checkGroupSettings, { realm_id: realmId, values }, options)
    // Under the lock: if a channel is being archived now, its removal from the settings comes after this commit.
    if (stream_ids.length > 0) {
      const { channels } = await context.call(internal.messaging.checkChannels, checked, options)
      checkPrivateChannels(requested, channels)
    }
    const present = readSettings(realm)
    const shown = showPermissions(present, realm.hiddenMemberIds)
    const permissions = readRequestedPermissions(input, present, shown)
    // Under the lock, as above: a user who is deactivated now is hidden after this commit.
    const hiddenMemberIds = values.some((value) => groupSettingParts(value).direct_members.length > 0)
      ? await listHiddenMembers(context, realmId, { ...present, ...permissions })
      : realm.hiddenMemberIds
    const available = availableMethods(context.signOn, realm.stringId)
    const methods = input.authentication_methods && {
      disabled_authentication_methods: disableMethods(
        input.authentication_methods,
        available,
        present.disabled_authentication_methods,
      ),
    }
    const settings = { ...withoutRepeatedHistory(requested, input, present), ...permissions, ...methods }
    return saveSettings(tx, realm, { settings, available, hiddenMemberIds }, { realmId, requestId })
  })
}
