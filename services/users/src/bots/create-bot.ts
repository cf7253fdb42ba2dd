import {
  AppError,
  BotType,
  badRequest,
  domainEvents,
  type EndpointInput,
  type endpoints,
  type RealmProjection,
  Role,
  WebhookInterface,
} from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { makeAvatarPicture } from '../avatars/avatar-picture.ts'
import { keepAvatar, type StoredAvatar, storeAvatar } from '../avatars/set-avatar.ts'
import { createAccountRow, findAccount } from '../kernel/accounts/account.queries.ts'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import { readUnfilteredRecord } from '../kernel/accounts/unfiltered-record.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { type Bot, type BotDetails, saveBotDetails } from '../kernel/bots/bot.queries.ts'
import { defaultsOf } from '../kernel/bots/bot-record.ts'
import { publishBot } from '../kernel/bots/publish-bot.ts'
import type { Context } from '../kernel/context.ts'
import { createApiKey } from '../kernel/credentials/api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { joinSystemGroups } from '../kernel/groups/system-membership.ts'
import { publish } from '../kernel/publish.ts'
import { botCreationPermissions, checkMayUseBots, mayCreateBot } from './bot.rules.ts'
import { claimBotName } from './bot-name.queries.ts'
import { checkActiveBotLimit } from './check-active-bot-limit.ts'
import { mergeConfigData } from './config-data.rules.ts'
import { lockChannelNames } from './default-channel.queries.ts'
import { nameChannelsOf } from './name-channels.ts'
import { checkPayloadUrl } from './payload-url.ts'
import { findRequestedChannels } from './requested-channels.ts'

type Input = EndpointInput<typeof endpoints.users.createBot>

/**
 * Creates a bot with the role of a member, owned by the caller. A picture in the request becomes its avatar. Throws
 * BAD_REQUEST if the caller is a bot or guest or has too many bots, for an invalid or taken name or address, and for
 * an unknown channel; BAD_IMAGE; UNAUTHORIZED_PRINCIPAL without permission.
 */
export const handleCreateBot: Handler<typeof endpoints.users.createBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
  picture,
}) => {
  const { account, details } = await createBot(context, caller, { input, picture }, requestId)
  return {
    user_id: account.id,
    api_key: details.apiKey,
    avatar_url: avatarUrlOf(account),
    ...defaultsOf(details),
  }
}

/** Creates a bot that the caller owns. Throws as `handleCreateBot`. */
export async function createBot(
  context: Context,
  caller: Caller,
  { input, picture }: { input: Input; picture: Buffer | null },
  requestId: string,
): Promise<Bot> {
  checkMayUseBots(caller)
  const realm = await context.realms.findById(caller.realmId)
  if (!realm) throw new AppError('UNAUTHORIZED')
  const row = rowOf(input, caller, realm, context.now())
  const creator = await findAccount(context.prisma, caller.realmId, caller.userId)
  if (!creator) throw new AppError('UNAUTHORIZED')
  const permissions = await findRealmPermissions(
    context.db,
    realm,
    creator,
    botCreationPermissions,
    context.now(),
  )
  if (!mayCreateBot(creator, row.botType, permissions)) throw new AppError('UNAUTHORIZED_PRINCIPAL')
  const requested = await findRequestedChannels(context, caller, input, requestId)
  const avatar = picture && (await storeAvatar(context, caller.realmId, await makeAvatarPicture(picture)))

  return context.transact(async (tx) => {
    const details = await withNames(tx, context, caller, { ...detailsOf(input, row, context), ...requested })
    return insertBot(tx, caller, { row, details, avatar }, requestId)
  })
}

type Row = ReturnType<typeof rowOf>

function rowOf(input: Input, { realmId, userId }: Caller, realm: RealmProjection, dateJoined: Date) {
  const fullName = checkFullName(input.full_name)
  const email = `${input.short_name.trim()}-bot@${new URL(realm.url).hostname}`
  if (input.short_name.trim() === '' || !isEmail(email)) throw badRequest('Bad name or username')
  return {
    realmId,
    email,
    deliveryEmail: email,
    fullName,
    passwordHash: null,
    apiKey: createApiKey(),
    role: Role.member,
    dateJoined,
    isBot: true,
    botType: input.bot_type ?? BotType.generic,
    botOwnerId: userId,
  }
}

/** Everything but the default channels. */
function detailsOf(
  input: Input,
  { apiKey, botType }: Pick<Row, 'apiKey' | 'botType'>,
  { webhooks }: Pick<Context, 'webhooks'>,
): BotDetails {
  const isOutgoing = botType === BotType.outgoingWebhook
  return {
    apiKey,
    defaultSendingStreamId: null,
    defaultEventsRegisterStreamId: null,
    defaultSendingStream: null,
    defaultEventsRegisterStream: null,
    defaultAllPublicStreams: input.default_all_public_streams ?? false,
    payloadUrl: isOutgoing ? checkPayloadUrl('payload_url', input.payload_url, webhooks) : null,
    serviceToken: isOutgoing ? createApiKey() : null,
    serviceInterface: isOutgoing ? (input.interface_type ?? WebhookInterface.generic) : null,
    configData: mergeConfigData(
      {},
      { botType, serviceName: input.service_name, configData: input.config_data },
    ),
  }
}

/** Reads the channels' names again under the lock: they may have changed since they were found. */
async function withNames(
  tx: PrismaTx,
  context: Context,
  { realmId, userId: id, role }: Caller,
  details: BotDetails,
): Promise<BotDetails> {
  if ((details.defaultSendingStreamId ?? details.defaultEventsRegisterStreamId) === null) return details
  await lockChannelNames(tx, realmId)
  return { ...details, ...(await nameChannelsOf(context, { realmId, owner: { id, role }, ...details })) }
}

async function insertBot(
  tx: PrismaTx,
  caller: Caller,
  { row, details, avatar }: { row: Row; details: BotDetails; avatar: StoredAvatar | null },
  requestId: string,
): Promise<Bot> {
  await shareAdministration(tx, caller.realmId)
  // Locks the owner, so that a concurrent deactivation of the owner includes this bot.
  const owner = await lockOwnAccount(tx, caller)
  if (!owner.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  await checkActiveBotLimit(tx, owner)
  if (!(await claimBotName(tx, row.realmId, row.fullName))) throw badRequest('Name is already in use!')
  const account = await createAccountRow(tx, { ...row, ...(avatar && (await keepAvatar(tx, avatar))) })
  if (!account) throw badRequest('Username already in use')
  await saveBotDetails(tx, account.id, details)
  await publish(
    tx,
    domainEvents.users.userCreated,
    { user: await readUnfilteredRecord(tx, account), projection: toUserProjection(account) },
    { realmId: account.realmId, requestId },
  )
  await joinSystemGroups(tx, account, requestId)
  await publishBot(tx, null, { account, details }, requestId)
  return { account, details }
}
