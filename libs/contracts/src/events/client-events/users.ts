import { z } from 'zod'
import { botRecord } from '../../users/bots.ts'
import { userGroupUpdated } from '../../users/events/groups.ts'
import { groupMembers, userGroup } from '../../users/groups.ts'
import { clientPresence, statusChange } from '../../users/presence.ts'
import { userWithActivity } from '../../users/records.ts'
import { clientEvent } from './client-event.ts'

const user_id = z.int()

/** The forms of `person` (API document, "Events"). */
const person = z.union([
  z.object({ user_id, full_name: z.string() }),
  z.object({
    user_id,
    avatar_source: z.string(),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    avatar_version: z.int(),
  }),
  z.object({
    user_id,
    email: z.string().describe('Deprecated.'),
    timezone: z.string(),
  }),
  z.object({ user_id, bot_owner_id: z.int().nullable() }),
  z.object({ user_id, role: z.int() }),
  z.object({
    user_id,
    delivery_email: z.string().nullable().describe('Null if you can no longer see it.'),
  }),
  z.object({
    user_id,
    custom_profile_field: z.object({
      id: z.int(),
      value: z.string().nullable().describe('Null if it was cleared.'),
      rendered_value: z.string().nullable().optional().describe('HTML, for types that render Markdown.'),
    }),
  }),
  z.object({
    user_id,
    new_email: z.string().describe('The API e-mail.'),
  }),
  z.object({ user_id, is_active: z.boolean() }),
])

const subgroups = { group_id: z.int(), direct_subgroup_ids: z.array(z.int()) }

/** Events about users, bots and groups. */
export const userEvents = [
  clientEvent('realm_user add', 'A user joined, or became visible to you', { person: userWithActivity }),
  clientEvent('realm_user update', 'A property of a user changed', { person }),
  clientEvent('realm_user remove', 'A user is no longer visible to you', {
    person: z.object({ user_id, full_name: z.string() }),
  }),
  clientEvent('realm_bot add', 'A bot that you manage was created, or you became its manager', {
    bot: botRecord,
  }),
  clientEvent('realm_bot update', 'A property of a bot that you manage changed', {
    bot: botRecord.partial().required({ user_id: true }),
  }),
  clientEvent('realm_bot delete', 'You no longer manage a bot', { bot: z.object({ user_id }) }),
  clientEvent('user_group add', 'A user group was created', { group: userGroup }),
  clientEvent('user_group update', 'A property of a user group changed', {
    group_id: z.int(),
    data: userGroupUpdated.payload.shape.data.extend({
      deactivated: z.boolean().optional().describe('Only with `include_deactivated_groups`.'),
    }),
  }),
  clientEvent('user_group add_members', 'Users became members of a user group', groupMembers.shape),
  clientEvent('user_group remove_members', 'Users are no longer members of a user group', groupMembers.shape),
  clientEvent('user_group add_subgroups', 'Groups were added to a user group', subgroups),
  clientEvent('user_group remove_subgroups', 'Groups were removed from a user group', subgroups),
  clientEvent('user_group remove', 'A user group was deactivated; without `include_deactivated_groups`', {
    group_id: z.int(),
  }),
  clientEvent('user_status', "A user's status changed", {
    user_id,
    away: z.boolean().optional().describe('Mirrors `presence_enabled`, inverted.'),
    ...statusChange.shape,
  }),
  clientEvent('presence', 'A user is online', {
    user_id,
    email: z.string().optional().describe('Absent with `slim_presence`.'),
    server_timestamp: z.number().describe('UNIX seconds.'),
    presence: z.record(z.string(), clientPresence).describe("By the client's name."),
  }),
]
