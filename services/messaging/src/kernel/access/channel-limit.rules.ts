import { AppError } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'

/** What an API token may be limited to. */
type Limit = Pick<Caller, 'channelIds'>

/** Whether a caller's API token reaches a channel; null stands for direct messages, which are beyond every limit. */
export const isWithinLimit = ({ channelIds }: Limit, channelId: number | null): boolean =>
  channelIds === undefined || (channelId !== null && channelIds.includes(channelId))

/** Throws TOKEN_LIMITED_TO_CHANNELS. */
export function checkMayWriteDirectly({ channelIds }: Limit): void {
  if (channelIds !== undefined)
    throw new AppError('TOKEN_LIMITED_TO_CHANNELS', {
      message: 'The API token is limited to channels; it sends no direct messages',
    })
}
