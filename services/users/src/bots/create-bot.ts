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
import { asTx, type Caller, type Handler, publisherOf } from '@tms/service-kit'
import { createAccountRow } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'
import { isEmail } from '../accounts/email-address.rules.ts'
import { checkFullName } from '../accounts/full-name.rules.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import { readWholeRecord } from '../accounts/whole-record.ts'
import { makeAvatarPicture } from '../avatars/avatar-picture.ts'
import { keepAvatar, type StoredAvatar, storeAvatar } from '../avatars/set-avatar.ts'
import type { Context, PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { joinSystemGroups } from '../groups/system-membership.ts'
import { findAskedChannels } from './asked-channels.ts'
import { type Bot, type BotDetails, claimName, saveBotDetails } from './bot.queries.ts'
import { checkKeepsBots, checkMayCreate } from './bot.rules.ts'
import { defaultsOf } from './bot-record.ts'
import { checkRoomForBot } from './check-room-for-bot.ts'
import { configAfter } from './config-data.rules.ts'
import { lockChannelNames } from './default-channel.queries.ts'
import { nameChannelsOf } from './name-channels.ts'
import { checkPayloadUrl } from './payload-url.ts'
import { publishBot } from './publish-bot.ts'

const publish = publisherOf('users')
type Input = EndpointInput<typeof endpoints.users.createBot>

/**
 * Creates a bot that the caller owns, a member whoever that is; a picture in the request becomes its avatar. Throws
 * BAD_REQUEST for bots and guests, who has too many, a bad or taken name or address, a channel that the caller can't
 * know of; BAD_IMAGE; UNAUTHORIZED_PRINCIPAL by `bot_creation_policy`.
 */
export const handleCreateBot: Handler<typeof endpoints.users.createBot, Context> = async ({
  input,
  caller,
  context,
  requestId,
  picture,
}) => {
  checkKeepsBots(caller)
  const realm = await context.realms.findById(caller.realmId)
  if (!realm) throw new AppError('UNAUTHORIZED')
  const row = rowOf(input, caller, realm, context.now())
  checkMayCreate(caller, row.botType, realm.bot_creation_policy)
  const asked = await findAskedChannels(context, caller, input, requestId)
  const avatar = picture && (await storeAvatar(context, caller.realmId, await makeAvatarPicture(picture)))

  const { person, details } = await context.transact(async (tx) => {
    const details = await withNames(tx, context, caller, { ...detailsOf(input, row, context), ...asked })
    return create(tx, caller, { row, details, avatar }, requestId)
  })
  return {
    user_id: person.id,
    api_key: details.apiKey,
    avatar_url: avatarUrlOf(person),
    ...defaultsOf(details),
  }
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

/** All but the default channels that it is asked to have. */
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
    configData: configAfter({}, { botType, serviceName: input.service_name, configData: input.config_data }),
  }
}

/** With its channels as they are called now: they may have other names since they were found. */
async function withNames(
  tx: PrismaTx,
  context: Context,
  { realmId, userId: id, role }: Caller,
  details: BotDetails,
): Promise<BotDetails> {
  if ((details.defaultSendingStreamId ?? details.defaultEventsRegisterStreamId) === null) return details
  await lockChannelNames(asTx(tx), realmId)
  return { ...details, ...(await nameChannelsOf(context, { realmId, owner: { id, role }, ...details })) }
}

async function create(
  tx: PrismaTx,
  caller: Caller,
  { row, details, avatar }: { row: Row; details: BotDetails; avatar: StoredAvatar | null },
  requestId: string,
): Promise<Bot> {
  // Whoever is deactivated meanwhile takes their bots along.
  const owner = await lockOwnAccount(tx, caller)
  if (!owner.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  await checkRoomForBot(tx, owner)
  if (!(await claimName(asTx(tx), row.realmId, row.fullName))) throw badRequest('Name is already in use!')
  const person = await createAccountRow(tx, { ...row, ...(avatar && (await keepAvatar(tx, avatar))) })
  if (!person) throw badRequest('Username already in use')
  await saveBotDetails(asTx(tx), person.id, details)
  await publish(
    asTx(tx),
    domainEvents.users.userCreated,
    { user: await readWholeRecord(asTx(tx), person), projection: toUserProjection(person) },
    { realmId: person.realmId, requestId },
  )
  await joinSystemGroups(tx, person, requestId)
  await publishBot(tx, null, { person, details }, requestId)
  return { person, details }
}
