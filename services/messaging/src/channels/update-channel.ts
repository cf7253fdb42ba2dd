import { badRequest, type ChannelRecord, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction, isUniqueViolation, type Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { standingOf } from '../directory/standing.ts'
import { findSpeaker } from '../messages/notices.ts'
import { newEffects } from '../other-services/effects.ts'
import { listSubscriberIds } from '../subscriptions/subscription.queries.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import type { SightScope } from '../topics/retelling.queries.ts'
import { announceDefaultChannels } from './announce-default-channels.ts'
import { findChannelByName } from './channel.queries.ts'
import { tellChanges } from './channel-notice.rules.ts'
import { listChannelRecords } from './channel-record.queries.ts'
import { takeName, updateChannelSettings } from './channel-update.queries.ts'
import {
  applyUpdate,
  checkMayUpdate,
  type EditableChannel,
  isNewName,
  isOpenOtherwise,
  isSeenByMore,
} from './channel-update.rules.ts'
import { findMembership } from './find-visible.ts'
import { lockChannel } from './lock-channel.ts'
import { notifyChannel } from './notify-channel.ts'
import { renderDescription } from './render-description.ts'

const NAME_IS_TAKEN = 'Channel name is already in use.'

/** Changes a channel's settings, all or nothing, and says so in the channel. */
export const handleUpdateChannel: Handler<typeof endpoints.messaging.updateChannel, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { publish } = context
  const speaker = await findSpeaker(context, caller.realmId)
  const actor = await context.directory.getUser(caller.userId)
  const { realm } = speaker
  const cause = { realmId: caller.realmId, requestId }
  const effects = newEffects()

  await inTransaction(context.db, async (tx) => {
    const channel = await lockChannel(tx, caller, input.stream_id)
    const before = await getRecord(tx, channel.id)
    const membership = await findMembership(tx, caller, channel.id)
    const administrator = {
      ...standingOf(actor, realm, context.now()),
      isSubscribed: membership?.isActive ?? false,
    }
    const present = { ...before, is_default: channel.isDefault }
    checkMayUpdate(administrator, present, input, realm)
    const wanted = applyUpdate(present, input)
    if (isNewName(before, wanted.name) && (await findChannelByName(tx, caller.realmId, wanted.name))) {
      throw badRequest(NAME_IS_TAKEN)
    }
    const renderedDescription =
      wanted.description === before.description
        ? before.rendered_description
        : renderDescription(realm, wanted.description)
    // Others may be about to give it to a channel of theirs: to wait for them comes before the locks of visibility.
    if (isNewName(before, wanted.name)) await takeName(tx, channel.id, wanted.name)
    const scopes = scopesOf(before, wanted)
    if (before.name !== wanted.name || isOpenOtherwise(before, wanted))
      effects.changedChannelIds.add(channel.id)
    await retellingTopics(tx, { publish, cause, scopes }, async () => {
      await updateChannelSettings(tx, channel.id, { ...wanted, renderedDescription })
      const after = await getRecord(tx, channel.id)
      const subscribers = isSeenByMore(before, after) ? await listSubscriberIds(tx, [channel.id]) : null
      await publish(
        tx,
        domainEvents.messaging.channelUpdated,
        { before, channel: after, subscribers: subscribers?.get(channel.id) ?? [] },
        cause,
      )
      if (wanted.isDefault !== channel.isDefault) await announceDefaultChannels(tx, publish, cause)
      const place = { ...channel, name: wanted.name, inviteOnly: wanted.inviteOnly }
      const texts = tellChanges(actor, before, after)
      await notifyChannel(tx, place, texts, { actor, speaker, publish, requestId })
    })
  }).catch((err: unknown) => {
    // Someone else took the name since we looked.
    throw isUniqueViolation(err, 'channels_name') ? badRequest(NAME_IS_TAKEN) : err
  })
  await context.bringEffects(effects, cause)
  context.relay.wake()
  return {}
}

async function getRecord(tx: Tx, channelId: number): Promise<ChannelRecord> {
  const [record] = await listChannelRecords(tx, [channelId])
  if (!record) throw badRequest('Invalid channel ID')
  return record
}

/** Whom it concerns who has set something for topics: of another name, those who have muted one. */
function scopesOf(before: ChannelRecord, wanted: EditableChannel): SightScope[] {
  const channelIds = [before.stream_id]
  if (isOpenOtherwise(before, wanted)) return [{ channelIds }]
  return before.name === wanted.name ? [] : [{ channelIds, muting: true }]
}
