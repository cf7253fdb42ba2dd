import { domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import { publishReadOnLeave } from '../flags/publish-read-on-leave.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import type { Context } from '../kernel/context.ts'
import { newEffects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import {
  listMembersBeforeArchival,
  queueVisibilityAfterLeave,
} from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import { endAllSubscriptions, markArchived } from './archiving.queries.ts'
import { lockAdministeredChannel } from './lock-channel.ts'
import { publishDefaultChannels } from './publish-default-channels.ts'

/** Archives a channel: marks all messages as read, and frees its name; its subscribers stay. */
export const handleArchiveChannel: Handler<typeof endpoints.messaging.archiveChannel, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { publish } = context
  const cause = { realmId: caller.realmId, requestId }
  const [realm, actor] = await Promise.all([
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const policySubject = policySubjectOf(actor, realm, context.now())
  const effects = newEffects()
  await transact(context.db, async (tx) => {
    const { id, isDefault } = await lockAdministeredChannel(tx, caller, policySubject, input.stream_id)
    const records = await listChannelRecords(tx, [id])
    const leaving = await listMembersBeforeArchival(tx, caller.realmId, id)
    await withTopicRefresh(tx, { publish, cause, scopes: [{ channelIds: [id], muting: true }] }, async () => {
      await publishReadOnLeave(tx, [id], null, cause)
      await endAllSubscriptions(tx, id)
      await markArchived(tx, id)
      const [[channel], [archived]] = [records, await listChannelRecords(tx, [id])]
      const viewers = (await listViewers(tx, [id])).get(id)
      if (channel && archived)
        await publish(tx, domainEvents.messaging.channelArchived, { channel, archived, viewers }, cause)
      if (isDefault) await publishDefaultChannels(tx, publish, cause)
      effects.archivedChannelIds.add(id)
      noteGuestVisibility(effects, await queueVisibilityAfterLeave(tx, leaving, cause))
    })
  })
  await context.propagateEffects(effects, cause)
  return {}
}
