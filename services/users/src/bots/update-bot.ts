import { BotType, badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import { asTx, type Caller, type Handler } from '@tms/service-kit'
import { findPerson, lockPerson, type Person } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'
import { changePerson } from '../accounts/change-person.ts'
import { checkFullName } from '../accounts/full-name.rules.ts'
import type { Context, PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { type Bot, type BotDetails, claimName, saveApiKey, saveBotDetails } from './bot.queries.ts'
import { checkCanOwn, checkKeepsBots, checkMayGiveRole } from './bot.rules.ts'
import { defaultsOf } from './bot-record.ts'
import { checkDefaultChannels } from './check-default-channels.ts'
import { lockManagedBot } from './lock-bot.ts'
import { checkPayloadUrl } from './payload-url.ts'
import { tellBot } from './tell-bot.ts'

type Input = EndpointInput<typeof endpoints.users.updateBot>

/** Changes a bot, all that is asked for or nothing. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export const handleUpdateBot: Handler<typeof endpoints.users.updateBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkKeepsBots(caller)
  await checkDefaultChannels(context, caller, input, requestId)
  const { person, details } = await context.transact(async (tx) => {
    const bot = await lockManagedBot(tx, caller, input.bot_user_id)
    const change = await accountChangeOf(tx, caller, bot.person, input)
    const changed = { person: bot.person, details: detailsAfter(bot, input, context) }
    await saveBotDetails(asTx(tx), bot.person.id, changed.details)
    await tellBot(tx, bot, changed, requestId)
    if (Object.keys(change).length === 0) return changed
    const person = await changePerson(tx, bot.person, change, requestId)
    return change.botOwnerId === undefined
      ? { ...changed, person }
      : replaceKey(tx, { ...changed, person }, requestId)
  })
  const owner =
    person.botOwnerId === null ? null : await findPerson(context.prisma, caller.realmId, person.botOwnerId)
  return {
    full_name: person.fullName,
    avatar_url: avatarUrlOf(person),
    ...(owner && { bot_owner: owner.email }),
    service_payload_url: details.payloadUrl,
    service_interface: details.serviceInterface,
    ...defaultsOf(details),
  }
}

/** Gives a bot another key: who owned it before knows the one that it had. */
async function replaceKey(tx: PrismaTx, bot: Bot, requestId: string): Promise<Bot> {
  const after = { ...bot, details: { ...bot.details, apiKey: createApiKey() } }
  await saveApiKey(asTx(tx), bot.person.id, after.details.apiKey)
  await tellBot(tx, bot, after, requestId)
  return after
}

type AccountChange = Partial<Pick<Person, 'fullName' | 'role' | 'botOwnerId'>>

/** What changes of the account; a blank name, like one that is the same, changes nothing. */
async function accountChangeOf(
  tx: PrismaTx,
  caller: Caller,
  bot: Person,
  { full_name, bot_owner_id, ...input }: Input,
): Promise<AccountChange> {
  const role: number = input.role ?? bot.role
  const change: { -readonly [Name in keyof AccountChange]: AccountChange[Name] } = {}
  if (full_name !== undefined && full_name.trim() !== '' && full_name.trim() !== bot.fullName) {
    const fullName = checkFullName(full_name)
    const isOtherCase = fullName.toLowerCase() === bot.fullName.toLowerCase()
    if (!isOtherCase && !(await claimName(asTx(tx), bot.realmId, fullName)))
      throw badRequest('Name is already in use!')
    change.fullName = fullName
  }
  if (role !== bot.role) {
    checkMayGiveRole(caller, bot.role, role)
    change.role = role
  }
  const ownerId = bot_owner_id ?? bot.botOwnerId
  const isAnother = ownerId !== bot.botOwnerId
  if (ownerId !== null && (isAnother || role < bot.role))
    // Locked, so that who is being deactivated takes this bot along or can't get it.
    checkCanOwn(await lockPerson(tx, bot.realmId, ownerId), role)
  if (isAnother) change.botOwnerId = ownerId
  return change
}

/** What is absent stays; an empty name of a channel is none. */
function detailsAfter(
  { person, details }: Bot,
  input: Input,
  { webhooks }: Pick<Context, 'webhooks'>,
): BotDetails {
  const { service_payload_url: url, service_interface } = input
  const isOutgoing = person.botType === BotType.outgoingWebhook
  const channel = (asked: string | undefined, kept: string | null) =>
    asked === undefined ? kept : asked || null
  return {
    ...details,
    defaultSendingStream: channel(input.default_sending_stream, details.defaultSendingStream),
    defaultEventsRegisterStream: channel(
      input.default_events_register_stream,
      details.defaultEventsRegisterStream,
    ),
    defaultAllPublicStreams: input.default_all_public_streams ?? details.defaultAllPublicStreams,
    ...(isOutgoing &&
      url !== undefined && { payloadUrl: checkPayloadUrl('service_payload_url', url, webhooks) }),
    ...(isOutgoing && service_interface !== undefined && { serviceInterface: service_interface }),
  }
}
