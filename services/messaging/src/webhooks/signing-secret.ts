import { randomBytes } from 'node:crypto'
import { BotType, badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getManagedBot } from '../kernel/projections/managed-bot.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { formatSecret, SECRET_BYTES } from './signature.rules.ts'
import { findSecret, type SecretHolder, saveSecret } from './signing-secret.queries.ts'

/** The secret that signs the calls of a bot. A bot that gets another owner also gets another secret. */
export async function getSecret({ db }: Pick<Context, 'db'>, bot: KnownUser): Promise<Buffer> {
  const holder = holderOf(bot)
  const found = await findSecret(db, holder)
  return found ?? saveSecret(db, holder, { secret: randomBytes(SECRET_BYTES), replaces: false })
}

/** Shows the secret of an outgoing webhook. Throws NO_SUCH_OBJECT if there is no such bot, BAD_REQUEST unless the caller manages it. */
export const handleGetSigningSecret: Handler<typeof endpoints.messaging.getSigningSecret, Context> = async ({
  input,
  caller,
  context,
}) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  checkIsCalled(bot)
  return { secret: formatSecret(await getSecret(context, bot)) }
}

/** Replaces the secret of an outgoing webhook. Throws likewise. */
export const handleRegenerateSigningSecret: Handler<
  typeof endpoints.messaging.regenerateSigningSecret,
  Context
> = async ({ input, caller, context, requestId }) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  checkIsCalled(bot)
  const { realm_id: realmId, user_id } = bot
  const fresh = { secret: randomBytes(SECRET_BYTES), replaces: true }
  const secret = await transact(context.db, async (tx) => {
    const saved = await saveSecret(tx, holderOf(bot), fresh)
    await context.publish(
      tx,
      domainEvents.messaging.signingSecretReplaced,
      { user_id },
      { realmId, requestId },
    )
    return saved
  })
  return { secret: formatSecret(secret) }
}

const holderOf = ({ realm_id, user_id, bot_owner_id }: KnownUser): SecretHolder => ({
  realmId: realm_id,
  botId: user_id,
  ownerId: bot_owner_id,
})

function checkIsCalled({ bot_type }: KnownUser): void {
  if (bot_type !== BotType.outgoingWebhook) throw badRequest('The bot is no outgoing webhook')
}
