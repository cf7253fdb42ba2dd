import { badRequest, type ChannelParameter } from '@tms/contracts'
import type { CheckChannels, LimitedCaller } from '@tms/service-kit'
import { listFlaggable } from '../flags/flaggable.queries.ts'
import { canAccessChannel, readingMembership } from '../kernel/access/channel.rules.ts'
import { isWithinLimit } from '../kernel/access/channel-limit.rules.ts'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import { getVisibleChannelByName } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'
import { findChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import { badNarrow, parseNarrow } from '../narrow/narrow.rules.ts'
import { checkLimitedNarrow, isChannelTerm } from './limited-narrow.rules.ts'

type Input = Readonly<Record<string, unknown>>
type Check = (context: Context, caller: LimitedCaller, input: Input) => Promise<Input>

/**
 * Checks that a call by an API token which is limited to channels is about these alone. Others answer like what doesn't exist. A
 * message that is moved during a call counts as where the call found it, unless its handler looks it up once more.
 */
export const checkChannels: CheckChannels<Context> = async (
  context,
  caller,
  { channelParameters, input },
) => {
  const replaced: Input[] = []
  for (const parameter of channelParameters) replaced.push(await checks[parameter](context, caller, input))
  return Object.assign({}, ...replaced) as Input
}

const checks: Readonly<Record<ChannelParameter, Check>> = {
  // Where it is prepared, which integrations do too, for the channels that senders name.
  to: async () => ({}),
  narrow: checkNarrow,
  message_id: async (context, caller, { message_id }) => checkMessages(context, caller, [Number(message_id)]),
  messages: async (context, caller, { messages }) => checkMessages(context, caller, messages as number[]),
  // Without it an edit moves nothing to another channel.
  stream_id: async (_, caller, { stream_id }) => {
    if (stream_id !== undefined && !isWithinLimit(caller, Number(stream_id)))
      throw badRequest('Invalid channel ID')
    return {}
  },
  stream: async ({ db }, caller, { stream }) => {
    const { id } = await getVisibleChannelByName(db, caller, String(stream))
    if (!isWithinLimit(caller, id)) throw badRequest(`Invalid channel name '${String(stream)}'`)
    return {}
  },
}

/** Replaces the channel's name in a narrow by its ID, so that the name can't be another channel's by the time it is used. */
async function checkNarrow({ db }: Context, caller: LimitedCaller, { narrow }: Input): Promise<Input> {
  const terms = parseNarrow(narrow)
  const { operand } = checkLimitedNarrow(terms)
  const reference = typeof operand === 'number' ? { id: operand } : { name: String(operand) }
  const target = await findChannelTarget(db, caller, reference)
  const isReadable = target !== null && canAccessChannel(caller, target.channel, readingMembership(target))
  if (!isReadable || !isWithinLimit(caller, target.channel.id))
    throw badNarrow(`unknown channel ${String(operand)}`)
  const named = { operator: 'channel', operand: target.channel.id, negated: false }
  const others = terms.filter((term) => !isChannelTerm(term))
  return { narrow: [named, ...others.map(({ isNegated: negated, ...term }) => ({ ...term, negated }))] }
}

async function checkMessages(
  { db }: Context,
  caller: LimitedCaller,
  messageIds: readonly number[],
): Promise<Input> {
  const found = await listFlaggable(db, caller, messageIds)
  const reached = found.filter(
    (message) => isWithinLimit(caller, message.channel?.id ?? null) && canSeeMessage(caller, message),
  )
  if (reached.length < new Set(messageIds).size) throw badRequest('Invalid message(s)')
  return {}
}
