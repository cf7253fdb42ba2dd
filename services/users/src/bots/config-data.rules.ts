import { type BotData, BotType, badRequest, INTEGRATION_KEY, limits } from '@tms/contracts'

interface Asked {
  readonly botType: number | null
  /** The integration that an incoming webhook serves. */
  readonly serviceName?: string | undefined
  readonly configData?: BotData | undefined
}

/**
 * How a bot is configured after a request: keys that it doesn't name stay. Throws BAD_REQUEST for an outgoing webhook,
 * which has none, and for more than a bot can have.
 */
export function configAfter(present: BotData, { botType, serviceName, configData = {} }: Asked): BotData {
  if (botType === BotType.outgoingWebhook) {
    if (Object.keys(configData).length > 0)
      throw badRequest('An outgoing webhook has no configuration data: its server keeps its own')
    return present
  }
  const isServing = botType === BotType.incomingWebhook && serviceName !== undefined && serviceName !== ''
  const after = { ...present, ...(isServing && { [INTEGRATION_KEY]: serviceName }), ...configData }
  const characters = Object.entries(after).flat().join('')
  const count = [...characters].length
  if (count > limits.maxBotConfigCharacters)
    throw badRequest(
      `The configuration data of a bot can have at most ${limits.maxBotConfigCharacters} characters of keys and values; this would make them ${count}`,
    )
  return after
}
