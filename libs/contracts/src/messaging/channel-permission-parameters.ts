import { optionalJson, type Parameter } from '../declarations/parameter.ts'
import {
  type GroupSettingChange,
  type GroupSettingValue,
  groupSettingChange,
  groupSettingValue,
} from '../permissions/group-setting-value.ts'
import {
  type ChannelPermission,
  channelPermissionNames,
  channelPermissions,
  describeAcceptedGroups,
} from '../permissions/permission-settings.ts'

type Optional<T> = Parameter<T, false>

/** The permissions of new channels. */
export const newChannelPermissions = Object.fromEntries(
  channelPermissionNames.map((name) => [
    name,
    optionalJson(groupSettingValue, { description: describeAcceptedGroups(channelPermissions[name]) }),
  ]),
) as Record<ChannelPermission, Optional<GroupSettingValue>>

/** Changes of the permissions of a channel. */
export const channelPermissionChanges = Object.fromEntries(
  channelPermissionNames.map((name) => [
    name,
    optionalJson(groupSettingChange, {
      description: `${describeAcceptedGroups(channelPermissions[name])} Or \`{"new": …, "old": …}\`: refused if the current value isn't \`old\`, which may be left out.`,
    }),
  ]),
) as Record<ChannelPermission, Optional<GroupSettingChange>>
