import { z } from 'zod'
import { botRecord } from '../../users/bots.ts'
import { userGroupUpdated } from '../../users/events.ts'
import { groupMembers, userGroup } from '../../users/groups.ts'
import { clientPresence, statusChange } from '../../users/presence.ts'
import { userWithActivity } from '../../users/records.ts'
import { clientEvent } from './client-event.ts'

const user_id = z.int()

/** API document, "Events": forms of `person`. */
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
    delivery_email: z.string().nullable().describe('Null where it went out of your sight.'),
  }),
  z.object({
    user_id,
    custom_profile_field: z.object({
      id: z.int(),
      value: z.string().nullable().describe('Null where it was cleared.'),
      rendered_value: z.string().nullable().optional().describe('HTML, of types that render Markdown.'),
    }),
  }),
  z.object({
    user_id,
    new_email: z.string().describe('The API e-mail.'),
  }),
  z.object({ user_id, is_active: z.boolean() }),
])

const subgroups = { group_id: z.int(), direct_subgroup_ids: z.array(z.int()) }

/** What happens to people, bots and groups. */
export const userEvents = [
  clientEvent('realm_user add', 'Someone joined, or came into your sight', { person: userWithActivity }),
  clientEvent('realm_user update', 'Something of a user changed', { person }),
  clientEvent('realm_user remove', 'Someone went out of your sight', {
    person: z.object({ user_id, full_name: z.string() }),
  }),
  clientEvent('realm_bot add', 'A bot that you manage was created, or became yours', { bot: botRecord }),
  clientEvent('realm_bot update', 'Something of a bot that you manage changed', {
    bot: botRecord.partial().required({ user_id: true }),
  }),
  clientEvent('realm_bot delete', 'You no longer manage a bot', { bot: z.object({ user_id }) }),
  clientEvent('user_group add', 'Someone made a user group', { group: userGroup }),
  clientEvent('user_group update', 'Something of a user group changed', {
    group_id: z.int(),
    data: userGroupUpdated.payload.shape.data,
  }),
  clientEvent('user_group add_members', 'People became members of a user group', groupMembers.shape),
  clientEvent('user_group remove_members', 'People ceased to be members of a user group', groupMembers.shape),
  clientEvent('user_group add_subgroups', 'Groups were put into a user group', subgroups),
  clientEvent('user_group remove_subgroups', 'Groups were taken out of a user group', subgroups),
  clientEvent('user_group remove', 'A user group was removed', { group_id: z.int() }),
  clientEvent('user_status', 'What someone says of themselves changed', {
    user_id,
    away: z.boolean().optional().describe('Mirrors `presence_enabled`, inverted.'),
    ...statusChange.shape,
  }),
  clientEvent('presence', 'Someone is here', {
    user_id,
    email: z.string().optional().describe('Absent with `slim_presence`.'),
    server_timestamp: z.number().describe('UNIX seconds.'),
    presence: z.record(z.string(), clientPresence).describe("By the client's name."),
  }),
]
