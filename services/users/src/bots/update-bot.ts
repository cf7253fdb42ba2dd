import { BotType, badRequest, type EndpointInput, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { makeAvatarPicture } from '../avatars/avatar-picture.ts'
import { type StoredAvatar, setAvatar, storeAvatar } from '../avatars/set-avatar.ts'
import { changeAccount } from '../kernel/account-changes/change-account.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { lockAccounts } from '../kernel/accounts/account-list.queries.ts'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { lockAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { type Bot, type BotDetails, saveBotDetails } from '../kernel/bots/bot.queries.ts'
import { defaultsOf } from '../kernel/bots/bot-record.ts'
import { publishBot } from '../kernel/bots/publish-bot.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { checkCanOwn, checkMayGiveRole, checkMayUseBots, isManager } from './bot.rules.ts'
import { claimBotName } from './bot-name.queries.ts'
import { checkActiveBotLimit } from './check-active-bot-limit.ts'
import { mergeConfigData } from './config-data.rules.ts'
import { checkManagesBot, lockManagedBot } from './lock-bot.ts'
import { nameNewChannels } from './name-new-channels.ts'
import { checkPayloadUrl } from './payload-url.ts'
import { replaceBotCredentials } from './replace-bot-credentials.ts'
import { checkOwnerCanSee, findRequestedChannels, type RequestedChannels } from './requested-channels.ts'

type Input = EndpointInput<typeof endpoints.users.updateBot>

/**
 * Changes a bot, all or nothing. A picture in the request becomes its avatar. Throws BAD_REQUEST, BAD_IMAGE or
 * UNAUTHORIZED_PRINCIPAL.
 */
export const handleUpdateBot: Handler<typeof endpoints.users.updateBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
  picture,
}) => {
  checkMayUseBots(caller)
  const requested = await findRequestedChannels(context, caller, input, requestId)
  const avatar = picture && (await storePicture(context, caller, input.bot_user_id, picture))
  const getsNames = Object.keys(requested).length > 0 || input.bot_owner_id !== undefined
  const { account, details, apiKey } = await context.transact(async (tx) => {
    // Before the locks that others wait for, as messaging is asked.
    const names = getsNames
      ? await nameNewChannels(tx, context, { realmId: caller.realmId, requested, ...input })
      : null
    const bot = await lockBot(tx, caller, input)
    const change = await accountChangeOf(tx, caller, bot.account, input)
    if (names) checkOwnerCanSee(requested, names)
    const details = { ...detailsAfter(bot, input, requested, context), ...names }
    await saveBotDetails(tx, bot.account.id, details)
    await publishBot(tx, bot, { ...bot, details }, requestId)
    const isChanged = Object.keys(change).length > 0
    const account = isChanged ? await changeAccount(tx, bot.account, change, requestId) : bot.account
    const changed = { details, account: avatar ? await setAvatar(tx, account, avatar, requestId) : account }
    const isHandedOver = change.botOwnerId !== undefined
    return {
      ...changed,
      apiKey: isHandedOver ? await replaceBotCredentials(tx, changed.account, requestId) : null,
    }
  })
  const owner =
    account.botOwnerId === null ? null : await findAccount(context.prisma, caller.realmId, account.botOwnerId)
  return {
    full_name: account.fullName,
    avatar_url: avatarUrlOf(account),
    ...(owner && { bot_owner: owner.email }),
    // The former owner must not get the new key, nor may an API token.
    ...(apiKey !== null && caller.tokenId === undefined && isManager(caller, account) && { api_key: apiKey }),
    service_payload_url: details.payloadUrl,
    service_interface: details.serviceInterface,
    config_data: details.configData,
    ...defaultsOf(details),
  }
}

type AccountChange = Partial<Pick<Account, 'fullName' | 'role' | 'botOwnerId'>>

/** Changed columns of the account; a blank or equal name changes nothing. */
async function accountChangeOf(
  tx: PrismaTx,
  caller: Caller,
  bot: Account,
  { full_name, bot_owner_id, ...input }: Input,
): Promise<AccountChange> {
  const role: number = input.role ?? bot.role
  const change: { -readonly [Name in keyof AccountChange]: AccountChange[Name] } = {}
  if (full_name !== undefined && full_name.trim() !== '' && full_name.trim() !== bot.fullName) {
    const fullName = checkFullName(full_name)
    const isOtherCase = fullName.toLowerCase() === bot.fullName.toLowerCase()
    if (!isOtherCase && !(await claimBotName(tx, bot.realmId, fullName)))
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
    const owner = await findAccount(tx, bot.realmId, ownerId)
    checkCanOwn(owner, role)
    if (isAnother && bot.isActive) await checkActiveBotLimit(tx, owner)
  }
  if (isAnother) change.botOwnerId = ownerId
  return change
}

/** Stores a picture as a bot's avatar if the caller manages the bot. Throws like `lockManagedBot`, and BAD_IMAGE. */
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
 * Locks the bot as `lockManagedBot` does. If its role or owner may change, also locks its future owner, with
 * administration: a concurrent change of that user includes this bot, or comes before.
 */
async function lockBot(tx: PrismaTx, caller: Caller, input: Input): Promise<Bot> {
  const { bot_user_id: botId, bot_owner_id, role } = input
  if (role !== undefined || bot_owner_id !== undefined) {
    await lockAdministration(tx, caller.realmId)
    const ownerId = bot_owner_id ?? (await findAccount(tx, caller.realmId, botId))?.botOwnerId
    await lockAccounts(tx, caller.realmId, ownerId ? [botId, ownerId] : [botId])
  }
  return lockManagedBot(tx, caller, botId)
}

/** Fields that the request doesn't contain stay. */
function detailsAfter(
  { account, details }: Bot,
  input: Input,
  requested: RequestedChannels,
  { webhooks }: Pick<Context, 'webhooks'>,
): BotDetails {
  const { service_payload_url: url, service_interface } = input
  const isOutgoing = account.botType === BotType.outgoingWebhook
  return {
    ...details,
    ...requested,
    defaultAllPublicStreams: input.default_all_public_streams ?? details.defaultAllPublicStreams,
    ...(isOutgoing &&
      url !== undefined && { payloadUrl: checkPayloadUrl('service_payload_url', url, webhooks) }),
    ...(isOutgoing && service_interface !== undefined && { serviceInterface: service_interface }),
    configData: mergeConfigData(details.configData, {
      botType: account.botType,
      configData: input.config_data,
    }),
  }
}
