import { type BotData, BotType, badRequest, INTEGRATION_KEY, limits } from '@tms/contracts'

interface ConfigDataChange {
  readonly botType: number | null
  /** The integration that an incoming webhook serves. */
  readonly serviceName?: string | undefined
  readonly configData?: BotData | undefined
}

/**
 * A bot's configuration after a request; keys that the request doesn't contain stay. Throws BAD_REQUEST for an
 * outgoing webhook, which has none, and if it gets too large.
 */
export function mergeConfigData(
  present: BotData,
  { botType, serviceName, configData = {} }: ConfigDataChange,
): BotData {
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
