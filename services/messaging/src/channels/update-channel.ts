import { badRequest, type ChannelRecord, domainEvents, type endpoints, Role } from '@tms/contracts'
import { type Handler, isUniqueViolation, type Tx, transact } from '@tms/service-kit'
import { canJoinChannel } from '../kernel/access/channel.rules.ts'
import { type Channel, findChannelByName } from '../kernel/channels/channel.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { findMembership } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'
import { newEffects } from '../kernel/effects/effects.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import { changedViewers, toViewers } from '../kernel/grantees/grantees.rules.ts'
import { refreshGrantees } from '../kernel/grantees/refresh-grantees.ts'
import { hasRealmPermission } from '../kernel/groups/permissions.ts'
import { shareChannelGrantsLock } from '../kernel/locks/channel-grants-lock.queries.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { getNoticeSender } from '../messages/notices.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import type { RefreshScope } from '../topics/topic-refresh.queries.ts'
import { writeChangeNotices } from './channel-notice.rules.ts'
import { creationPermissionOf } from './channel-settings.rules.ts'
import { reserveName, updateChannelSettings } from './channel-update.queries.ts'
import {
  applyUpdate,
  checkArchivedUpdate,
  checkMayUpdate,
  type EditableChannel,
  isNewName,
  mayChangeViewers,
  widensVisibility,
} from './channel-update.rules.ts'
import { checkPermissionValues } from './check-permission-values.ts'
import { checkAdministers, lockAdministeredChannel } from './lock-channel.ts'
import { notifyChannel } from './notify-channel.ts'
import { publishDefaultChannels } from './publish-default-channels.ts'
import { renderDescription } from './render-description.ts'

const NAME_IS_TAKEN = 'Channel name is already in use.'

/** Changes the settings of a channel, all or nothing, and posts notices about it in the channel. */
export const handleUpdateChannel: Handler<typeof endpoints.messaging.updateChannel, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { publish } = context
  const noticeSender = await getNoticeSender(context, caller.realmId)
  const actor = await context.projections.getUser(caller.userId)
  const { realm } = noticeSender
  const cause = { realmId: caller.realmId, requestId }
  const policySubject = policySubjectOf(actor, realm, context.now())
  const candidate = { userId: caller.userId, policySubject }
  // First: only who may change the channel learns which users and groups there are.
  await checkAdministers(context.db, caller, policySubject, input.stream_id)
  const effects = newEffects()

  await transact(context.db, async (tx) => {
    // First, so that no change of a group misses the new permissions.
    await shareChannelGrantsLock(tx, caller.realmId)
    await checkPermissionValues(context, caller, input)
    await shareChannelVisibilityLock(tx, caller.realmId)
    const channel = await lockAdministeredChannel(tx, caller, policySubject, input.stream_id, {
      withArchived: true,
    })
    if (channel.isArchived) checkArchivedUpdate(input)
    const before = await getRecord(tx, channel.id)
    const membership = await findMembership(tx, caller, channel.id)
    const administrator = {
      role: policySubject.role,
      mayRead: canJoinChannel(caller, channel, membership),
      mayCreateWebPublic: await hasRealmPermission(
        tx,
        realm,
        'can_create_web_public_channel_group',
        candidate,
      ),
    }
    const current = { ...before, is_default: channel.isDefault }
    checkMayUpdate(administrator, current, input, realm)
    const updated = applyUpdate(current, input, channel.permissions)
    // Otherwise those who administer a channel would get round the permission to create one of its new kind.
    if (before.invite_only !== updated.inviteOnly && caller.role > Role.administrator) {
      const mayCreate = await hasRealmPermission(tx, realm, creationPermissionOf(updated), candidate)
      if (!mayCreate) throw badRequest('Insufficient permission')
    }
    if (isNewName(before, updated.name) && (await findChannelByName(tx, caller.realmId, updated.name))) {
      throw badRequest(NAME_IS_TAKEN)
    }
    const renderedDescription =
      updated.description === before.description
        ? before.rendered_description
        : renderDescription(realm, updated.description)
    // Before the visibility locks, because this may wait for a transaction that gives the name to another channel.
    if (isNewName(before, updated.name)) await reserveName(tx, channel.id, updated.name)
    const changesViewers = mayChangeViewers(before, channel.permissions, updated)
    const scopes = scopesOf(before, updated, changesViewers)
    if (before.name !== updated.name || changesViewers) effects.changedChannelIds.add(channel.id)
    await withTopicRefresh(tx, { publish, cause, scopes }, async () => {
      await updateChannelSettings(tx, channel.id, { ...updated, renderedDescription })
      const viewers = await refreshViewers(tx, channel, updated)
      const after = await getRecord(tx, channel.id)
      const widens = viewers.areMore || widensVisibility(before, after)
      const subscribers = widens ? await listSubscriberIds(tx, [channel.id]) : null
      await publish(
        tx,
        domainEvents.messaging.channelUpdated,
        {
          before,
          channel: after,
          subscribers: subscribers?.get(channel.id) ?? [],
          viewers_before: viewers.before,
          viewers: viewers.after,
        },
        cause,
      )
      if (updated.isDefault !== channel.isDefault) await publishDefaultChannels(tx, publish, cause)
      const updatedChannel = { ...channel, name: updated.name, inviteOnly: updated.inviteOnly }
      // Nothing is sent to an archived channel.
      const texts = channel.isArchived ? [] : writeChangeNotices(actor, before, after)
      await notifyChannel(tx, updatedChannel, texts, { actor, noticeSender, publish, requestId })
    })
  }).catch((err: unknown) => {
    // Another channel took the name since it was checked.
    throw isUniqueViolation(err, 'channels_name') ? badRequest(NAME_IS_TAKEN) : err
  })
  await context.propagateEffects(effects, cause)
  return {}
}

async function getRecord(tx: Tx, channelId: number): Promise<ChannelRecord> {
  const [record] = await listChannelRecords(tx, [channelId])
  if (!record) throw badRequest('Invalid channel ID')
  return record
}

/** Stores who sees the channel by the updated permissions, and returns that with who did before. */
async function refreshViewers(tx: Tx, channel: Channel, { inviteOnly, permissions }: EditableChannel) {
  const change = await refreshGrantees(tx, { ...channel, inviteOnly, permissions })
  if (change) {
    const [before, after] = [toViewers(change.before), toViewers(change.after)]
    return { before, after, areMore: changedViewers(change.before, change.after)?.viewers !== undefined }
  }
  const viewers = (await listViewers(tx, [channel.id])).get(channel.id)
  return { before: viewers, after: viewers, areMore: false }
}

/**
 * Users whose topic settings are affected: by a new name, those who muted a topic; by another visibility, all.
 */
function scopesOf(before: ChannelRecord, updated: EditableChannel, changesViewers: boolean): RefreshScope[] {
  const channelIds = [before.stream_id]
  if (changesViewers) return [{ channelIds }]
  return before.name === updated.name ? [] : [{ channelIds, muting: true }]
}
