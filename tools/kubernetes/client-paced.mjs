import { allEndpoints } from '../../libs/contracts/dist/index.js'

/** Endpoints whose answers take as long as clients or events do: held polls, and files on their way in or out. */
export const clientPaced = allEndpoints
  .filter(({ held, body, answer }) => held || body !== 'fields' || answer === 'file')
  .map(({ name }) => name)
  .sort()

/** Leaves them out of a selection of series. */
export const NOT_CLIENT_PACED = `, endpoint!~"${clientPaced.join('|')}"`
