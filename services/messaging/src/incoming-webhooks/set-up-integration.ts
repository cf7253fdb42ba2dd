import { badRequest } from '@tms/contracts'
import {
  type AnyIntegration,
  buildAddress,
  findIntegration,
  integrations,
  setupFor,
  similarNames,
} from '@tms/integrations'
import type { Caller } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { normalizeTopic } from '../kernel/text/content.rules.ts'
import { checkMayPost } from '../messages/check-may-post.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { noSuchChannel } from '../messages/sending.rules.ts'
import { changeSubscriptions } from '../subscriptions/change-subscriptions.ts'
import { prepareSubscribe } from '../subscriptions/prepare-subscribe.ts'
import { channelReferenceOf } from './channel-reference.ts'

/** Which integration is set up, and what its address says. */
export interface NewIntegration {
  readonly integration: string
  /** A name, or an ID; null for messages to the owner. */
  readonly channel: string | null
  readonly topic: string | null
  /** Null: that of the integration. */
  readonly botName: string | null
  readonly requestId: string
}

interface SetUp {
  readonly user_id: number
  readonly full_name: string
  readonly api_key: string
  readonly url: string
  readonly setup: string
}

/**
 * Creates a bot that posts what arrives at an address, for its owner. Throws BAD_REQUEST for an unknown integration, a name that is
 * taken, and a channel in which the owner may not post; STREAM_DOES_NOT_EXIST; and UNAUTHORIZED_PRINCIPAL if the owner may not create
 * incoming webhooks.
 */
export async function setUpIntegration(
  context: Context,
  owner: Caller,
  { integration: name, channel: channelName, topic: givenTopic, botName, requestId }: NewIntegration,
): Promise<SetUp> {
  const integration = findIntegration(name)
  if (!integration) throw unknownIntegration(name)
  const topic = givenTopic === null ? null : normalizeTopic(givenTopic)
  const channel = channelName === null ? null : await getPostingChannel(context, owner, channelName)
  const fullName = (botName ?? integration.displayName).trim()
  const realm = await context.projections.getRealm(owner.realmId)
  const { user_id, api_key } = await createBot(context, owner, { fullName, integration })
  if (channel?.inviteOnly) await subscribeBot(context, owner, { botId: user_id, channel, requestId })
  const url = buildAddress(realm.url, integration, {
    apiKey: api_key,
    // The ID stays when the channel is renamed.
    stream: channel && String(channel.id),
    topic,
  })
  return { user_id, full_name: fullName, api_key, url, setup: setupFor(integration, url) }
}

function unknownIntegration(name: string) {
  const names = integrations.map((each) => each.name)
  const similar = similarNames(name, names)
  const hint =
    similar.length > 0
      ? `Did you mean ${similar.join(' or ')}?`
      : `There are ${[...names].sort().join(', ')}.`
  return badRequest(`There is no integration '${name.slice(0, 100)}'. ${hint}`)
}

/** A channel in which the user may post. */
async function getPostingChannel(context: Context, owner: Caller, name: string): Promise<Channel> {
  const reference = channelReferenceOf(name)
  const [target, realm, user] = await Promise.all([
    findChannelTarget(context.db, owner, reference),
    context.projections.getRealm(owner.realmId),
    context.projections.getUser(owner.userId),
  ])
  if (!target) throw noSuchChannel(reference)
  await checkMayPost(context, { user, realm, target }, reference)
  return target.channel
}

/** Creates the bot. Says what to do if there is one with its name already, rather than making another that looks the same. */
async function createBot(
  context: Context,
  owner: Caller,
  { fullName, integration }: { fullName: string; integration: AnyIntegration },
) {
  const isTaken = (await context.projections.findUsersByNames(owner.realmId, [caseKey(fullName)])).some(
    ({ is_active }) => is_active,
  )
  if (isTaken)
    throw badRequest(
      `There is already somebody called '${fullName}', perhaps the bot of an address for ${integration.displayName}. Choose another name for this bot, or deactivate that one.`,
    )
  return context.createIncomingWebhook({
    ...{ realmId: owner.realmId, ownerId: owner.userId, fullName, integration: integration.name },
  })
}

/**
 * Subscribes a bot to a private channel, so that it posts there whatever becomes of its owner. If the owner may not add subscribers,
 * the bot posts as long as the owner is one.
 */
async function subscribeBot(
  context: Context,
  owner: Caller,
  { botId, channel, requestId }: { botId: number; channel: Channel; requestId: string },
): Promise<void> {
  try {
    const adding = await prepareSubscribe(context, owner, {
      subscriptions: [{ name: channel.name }],
      principals: [botId],
    })
    await changeSubscriptions(context, owner, { adding }, requestId)
  } catch (err) {
    if (permanentErrorText(err) === null) throw err
  }
}
