import { BotType, badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import { asTx, type Caller, type Handler } from '@tms/service-kit'
import { findPerson, lockPerson, type Person } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'
import { changePerson } from '../accounts/change-person.ts'
import { checkFullName } from '../accounts/full-name.rules.ts'
import { makeAvatarPicture } from '../avatars/avatar-picture.ts'
import { type StoredAvatar, setAvatar, storeAvatar } from '../avatars/set-avatar.ts'
import type { Context, PrismaTx } from '../context.ts'
import { type AskedChannels, checkOwnerSees, findAskedChannels } from './asked-channels.ts'
import { type Bot, type BotDetails, claimName, saveBotDetails } from './bot.queries.ts'
import { checkCanOwn, checkKeepsBots, checkMayGiveRole, isManager } from './bot.rules.ts'
import { defaultsOf } from './bot-record.ts'
import { checkRoomForBot } from './check-room-for-bot.ts'
import { configAfter } from './config-data.rules.ts'
import { lockChannelNames } from './default-channel.queries.ts'
import { replaceBotCredentials } from './hand-over.ts'
import { checkManagesBot, lockManagedBot } from './lock-bot.ts'
import { nameChannelsOf } from './name-channels.ts'
import { checkPayloadUrl } from './payload-url.ts'
import { publishBot } from './publish-bot.ts'

type Input = EndpointInput<typeof endpoints.users.updateBot>

/**
 * Changes a bot, all that is asked for or nothing; a picture in the request becomes its avatar. Throws BAD_REQUEST,
 * BAD_IMAGE or UNAUTHORIZED_PRINCIPAL.
 */
export const handleUpdateBot: Handler<typeof endpoints.users.updateBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
  picture,
}) => {
  checkKeepsBots(caller)
  const asked = await findAskedChannels(context, caller, input, requestId)
  const avatar = picture && (await storePicture(context, caller, input.bot_user_id, picture))
  const getsNames = Object.keys(asked).length > 0 || input.bot_owner_id !== undefined
  const { person, details, apiKey } = await context.transact(async (tx) => {
    if (getsNames) await lockChannelNames(asTx(tx), caller.realmId)
    const bot = await lockManagedBot(tx, caller, input.bot_user_id)
    const change = await accountChangeOf(tx, caller, bot.person, input)
    const owned = { bot, ownerId: change.botOwnerId ?? bot.person.botOwnerId }
    const details = await withNames(tx, context, owned, asked, detailsAfter(bot, input, asked, context))
    await saveBotDetails(asTx(tx), bot.person.id, details)
    await publishBot(tx, bot, { ...bot, details }, requestId)
    const isChanged = Object.keys(change).length > 0
    const person = isChanged ? await changePerson(tx, bot.person, change, requestId) : bot.person
    const changed = { details, person: avatar ? await setAvatar(tx, person, avatar, requestId) : person }
    const isHandedOver = change.botOwnerId !== undefined
    return {
      ...changed,
      apiKey: isHandedOver ? await replaceBotCredentials(tx, changed.person, requestId) : null,
    }
  })
  const owner =
    person.botOwnerId === null ? null : await findPerson(context.prisma, caller.realmId, person.botOwnerId)
  return {
    full_name: person.fullName,
    avatar_url: avatarUrlOf(person),
    ...(owner && { bot_owner: owner.email }),
    // Not for who owned it until now.
    ...(apiKey !== null && isManager(caller, person) && { api_key: apiKey }),
    service_payload_url: details.payloadUrl,
    service_interface: details.serviceInterface,
    config_data: details.configData,
    ...defaultsOf(details),
  }
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
  if (ownerId !== null && (isAnother || role < bot.role)) {
    // Locked, so that who is being deactivated takes this bot along or can't get it.
    const owner = await lockPerson(tx, bot.realmId, ownerId)
    checkCanOwn(owner, role)
    if (isAnother && bot.isActive) await checkRoomForBot(tx, owner)
  }
  if (isAnother) change.botOwnerId = ownerId
  return change
}

/** Stores a picture as the avatar of a bot, if the caller manages that. Throws as `lockManagedBot` does, and BAD_IMAGE. */
async function storePicture(
  context: Context,
  caller: Caller,
  botId: number,
  picture: Buffer,
): Promise<StoredAvatar> {
  await checkManagesBot(context, caller, botId)
  return storeAvatar(context, caller.realmId, await makeAvatarPicture(picture))
}

/**
 * The same with its channels as they are called for its owner, where it gets another channel or owner. Throws
 * BAD_REQUEST for a channel that this one can't know of, and SERVICE_UNAVAILABLE while nobody can tell.
 */
async function withNames(
  tx: PrismaTx,
  context: Context,
  { bot: { person }, ownerId }: { bot: Bot; ownerId: number | null },
  asked: AskedChannels,
  details: BotDetails,
): Promise<BotDetails> {
  if (Object.keys(asked).length === 0 && ownerId === person.botOwnerId) return details
  const owner = ownerId === null ? null : await findPerson(tx, person.realmId, ownerId)
  const names = await nameChannelsOf(context, { realmId: person.realmId, owner, ...details })
  checkOwnerSees(asked, names)
  return { ...details, ...names }
}

/** What is absent stays. */
function detailsAfter(
  { person, details }: Bot,
  input: Input,
  asked: AskedChannels,
  { webhooks }: Pick<Context, 'webhooks'>,
): BotDetails {
  const { service_payload_url: url, service_interface } = input
  const isOutgoing = person.botType === BotType.outgoingWebhook
  return {
    ...details,
    ...asked,
    defaultAllPublicStreams: input.default_all_public_streams ?? details.defaultAllPublicStreams,
    ...(isOutgoing &&
      url !== undefined && { payloadUrl: checkPayloadUrl('service_payload_url', url, webhooks) }),
    ...(isOutgoing && service_interface !== undefined && { serviceInterface: service_interface }),
    configData: configAfter(details.configData, { botType: person.botType, configData: input.config_data }),
  }
}
